"""How hard an answer is to read: the Flesch-Kincaid grade."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from rirag_workbench.evaluation.answers.said import plain

_SENTENCE = re.compile(r"\b[^.!?]+")
_PUNCTUATION = re.compile(r"[^\w\s']|'(?!(?:[tsd]|ve|ll|re)\b)")

FEWEST_WORDS = 3
"""Shorter runs of words between full stops, such as parts of a number, are not sentences."""


def reading_grade(text: str) -> float | None:
    """Return the years of school that an answer asks for; None where it has no words.

    0.39 words per sentence + 11.8 syllables per word − 15.59 (Kincaid et al., 1975). Sentences and
    words are counted as textstat counts them, with which the authors of RePASs report it: an item
    of a list that ends in a semicolon is not a sentence. Syllables are the points at which a word
    may be hyphenated, as textstat counts words that its dictionary of pronunciation lacks.
    """
    readable = plain(text)
    said = _words(readable)
    if not said:
        return None
    runs = (_words(one) for one in _SENTENCE.findall(readable))
    sentences = max(1, sum(len(run) >= FEWEST_WORDS for run in runs))
    syllables = sum(len(_hyphenation().positions(word)) + 1 for word in said)
    return 0.39 * len(said) / sentences + 11.8 * syllables / len(said) - 15.59


def _words(text: str) -> list[str]:
    return _PUNCTUATION.sub("", text).lower().split()


@cache
def _hyphenation() -> Any:
    import pyphen

    return pyphen.Pyphen(lang="en_US")
