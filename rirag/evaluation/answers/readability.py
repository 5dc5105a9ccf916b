"""How hard an answer is to read: the Flesch-Kincaid grade."""

from __future__ import annotations

from functools import cache
from typing import Any

from generation.text.sentences import split_sentences
from rirag.evaluation.answers.said import plain
from search.errors import MissingDependencyError
from search.text.analyzer import words


def reading_grade(text: str) -> float | None:
    """Return the years of school that an answer asks for; None where it has no words.

    0.39 words per sentence + 11.8 syllables per word − 15.59 (Kincaid et al., 1975). Syllables are
    the points at which a word may be hyphenated, as textstat counts words that its dictionary
    lacks.
    """
    readable = plain(text)
    said = words(readable)
    if not said:
        return None
    sentences = sum(len(split_sentences(line)) for line in readable.splitlines() if line.strip())
    syllables = sum(len(_hyphenation().positions(word)) + 1 for word in said)
    return 0.39 * len(said) / sentences + 11.8 * syllables / len(said) - 15.59


@cache
def _hyphenation() -> Any:
    try:
        import pyphen
    except ImportError:
        raise MissingDependencyError("evaluation", "evaluate") from None
    return pyphen.Pyphen(lang="en_US")
