"""Citations in the text of a model: found, written one way, and checked against the sources."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generation.citation_styles import unified
from generation.records import AnswerWarning
from generation.sentences import split_sentences

MARKER = re.compile(r"\[(\d{1,6})\]")
"""A citation in normalised text; a longer number is none."""
_TRAILING_MARKERS = re.compile(r"([.!?])((?:\s*\[\d+\])+)")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NO_PASSAGE = "names no passage that was given to the model."
_FEWEST_WORDS = 4
"""A line of fewer words is a heading or a phrase, not a statement that needs a source."""


def normalise(text: str) -> str:
    """Write every citation as single numbers: `[1, 3]` and `[2-4]` become `[1][3]`, `[2][3][4]`."""
    return unified(text)


def cited_numbers(text: str) -> list[int]:
    """Return the numbers cited in normalised text, in order of first use."""
    return list(dict.fromkeys(int(number) for number in MARKER.findall(text)))


def statements(text: str) -> list[str]:
    """Return the statements of normalised text, each with its citations.

    A statement is a sentence, or a whole bullet; citations that stand behind the full stop
    belong to the sentence before. Headings and introductions that end in a colon are none.
    """
    found = []
    for line in text.splitlines():
        # A citation behind the stop goes before it, so that splitting keeps the two together.
        moved = _TRAILING_MARKERS.sub(r"\2\1", _BULLET.sub("", line)).strip()
        if not moved or moved.startswith("#"):
            continue
        found += [s for s in split_sentences(moved) if _is_statement(s)]
    return found


def _is_statement(sentence: str) -> bool:
    words = _WORD.findall(MARKER.sub("", sentence))
    return len(words) >= _FEWEST_WORDS and not sentence.rstrip("* ").endswith(":")


def check_citations(text: str, known: Sequence[int]) -> list[AnswerWarning]:
    """Return a warning for every statement that cites nothing, or a number that is no passage.

    Args:
        text: the answer, normalised.
        known: the numbers of the passages that the model was shown.
    """
    warnings = []
    for statement in statements(text):
        numbers = cited_numbers(statement)
        unmapped = [number for number in numbers if number not in known]
        if unmapped:
            listed = ", ".join(f"[{number}]" for number in unmapped)
            message = f"The citation {listed} {_NO_PASSAGE}"
            warnings.append(AnswerWarning("unmapped", message, statement))
        elif not numbers:
            message = "This statement has no citation; nothing shows what it rests on."
            warnings.append(AnswerWarning("uncited", message, statement))
    return warnings + _unmapped_elsewhere(text, known, warnings)


def _unmapped_elsewhere(
    text: str, known: Sequence[int], warnings: Sequence[AnswerWarning]
) -> list[AnswerWarning]:
    """Return warnings for wrong numbers outside of statements, in a heading for instance."""
    told = {number for warning in warnings for number in cited_numbers(warning.statement)}
    return [
        AnswerWarning("unmapped", f"The citation [{n}] {_NO_PASSAGE}")
        for n in cited_numbers(text)
        if n not in known and n not in told
    ]
