"""What cannot be compared word by word: texts in other scripts, and those that are not English."""

from __future__ import annotations

import unicodedata
from collections import Counter

from search.text.analyzer import term_set
from search.text.stop_words import FUNCTION_WORDS

GRAMMAR = term_set(" ".join(FUNCTION_WORDS))
"""Index terms of the words of English grammar."""

FEWEST_LETTERS = 12
"""Fewer letters do not tell a script."""

CHARACTERS_READ = 400
"""Characters at the beginning of a text that tell its script."""


def not_compared(claim: str, source: str) -> str:
    """Return what could not be checked of a statement, as a sentence; empty: all could.

    Args:
        claim: the statement, folded.
        source: the nearest passage, folded.
    """
    ours, theirs = _script(claim), _script(source)
    if ours and theirs and ours != theirs:
        return (
            f"The statement is in {ours} script and its passage in {theirs}: only "
            "numbers and quotations could be compared."
        )
    return ""


def _script(text: str) -> str:
    """Return the script of most letters, such as `Latin`; empty where there are too few."""
    start = text[:CHARACTERS_READ]
    if start.isascii():
        return "Latin" if sum(map(str.isalpha, start)) >= FEWEST_LETTERS else ""
    names = (unicodedata.name(char, "?").split()[0] for char in filter(str.isalpha, start))
    counts = Counter(map(str.title, names))
    return counts.most_common(1)[0][0] if counts.total() >= FEWEST_LETTERS else ""
