"""Text that is safe to print: passages and models may hold escapes that steer a terminal."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from search.provisions.citations import distinct_citations

if TYPE_CHECKING:
    from generation.records import Answer

_KEPT = "\n\t"
_JOINERS = "\u200c\u200d"
"""Format characters that Persian, Indic scripts and emoji need; they cannot reorder a line."""


def printable(text: str) -> str:
    """Return a text without control characters, terminal escapes and marks that reorder lines.

    Only single characters go, so a text may be cleaned whole or piece by piece: of `ESC[31m`
    the harmless `[31m` remains, in sight.
    """
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char for char in text if char in _KEPT or _harmless(char))


def _harmless(char: str) -> bool:
    # Cc: controls; Cf: bidirectional and invisible marks; Cs: lone surrogates, which no terminal
    # can encode; Zl, Zp: line breaks that only some terminals take for such.
    return char in _JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def one_line(text: str) -> str:
    """Return a text fit for one line: printable, white space folded."""
    return " ".join(printable(" ".join(text.split())).split())


def answer_text(answer: Answer) -> str:
    """Return an answer for a terminal: the text, its sources, and what to be careful about."""
    made = (sources_text, decisions_text, warnings_text, checked_text)
    below = (make(answer) for make in made)
    return "\n\n".join(part for part in (printable(answer.text), *below) if part)


def sources_text(answer: Answer) -> str:
    """Return the list of sources, one line a number; empty without citations."""
    sources = answer.sources()
    cited = distinct_citations(list(sources.values()))
    lines = []
    for (number, passage), citation in zip(sources.items(), cited, strict=True):
        named = [citation, *passage.breadcrumb]
        lines.append(f"[{number}] " + ", ".join(filter(None, map(one_line, named))))
    return "\n".join(["Sources:", *lines]) if lines else ""


def decisions_text(answer: Answer) -> str:
    """Return what the mode chose and why, one line each; empty where it had no choice."""
    lines = []
    for one in answer.decisions:
        because = f" ({one_line(one.reason)})" if one.reason else ""
        lines.append(f"- {one.name}: {one_line(one.value)}{because}")
    return "\n".join(["Chosen:", *lines]) if lines else ""


def warnings_text(answer: Answer) -> str:
    """Return the warnings, one line each; empty without any.

    Those on single statements are told by `checked_text`, where the answer was verified.
    """
    lines = []
    for warning in answer.warnings:
        if answer.verification is not None and warning.statement:
            continue  # the verifier tells it with its verdict
        about = f" “{one_line(warning.statement)}”" if warning.statement else ""
        lines.append(f"- {one_line(warning.message)}{about}")
    return "\n".join(["Take care:", *lines]) if lines else ""


def checked_text(answer: Answer) -> str:
    """Return what the verifier says; empty where there was nothing to verify."""
    from generation.verify import verification_text

    return verification_text(answer.verification) if answer.verification else ""
