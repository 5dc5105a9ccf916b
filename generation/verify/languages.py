"""What cannot be compared word by word: texts in different scripts, and other languages."""

from __future__ import annotations

import unicodedata

FEWEST_LETTERS = 12
"""Fewer letters do not tell a script."""

_ENGLISH = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "a",
        "an",
        "in",
        "is",
        "are",
        "be",
        "for",
        "or",
        "by",
        "that",
        "must",
        "may",
        "shall",
        "it",
        "any",
        "with",
        "as",
        "on",
        "not",
    ]
)
FEWEST_WORDS = 8
LEAST_ENGLISH = 0.06
"""Share of words such as "the" below which a text of some length is hardly English; legal English
has 0.3 to 0.5, lists of names 0.1."""


def not_compared(claim: str, source: str) -> str:
    """Return what could not be checked of a statement, as a sentence; empty: all could.

    Args:
        claim: the statement, folded.
        source: the nearest passage, folded.
    """
    ours, theirs = _script(claim), _script(source)
    if ours and theirs and ours != theirs:
        return (
            f"It is in {ours} letters and its passage in {theirs} ones: only numbers and "
            "quotations could be compared."
        )
    return ""


def is_english(text: str) -> bool:
    """Tell whether a folded text can be English, the language whose obligations are known."""
    if _script(text) not in ("", "Latin"):
        return False
    words = text.split()
    common = sum(word in _ENGLISH for word in words)
    return len(words) < FEWEST_WORDS or common >= LEAST_ENGLISH * len(words)


def _script(text: str, look_at: int = 400) -> str:
    """Return the script of most letters, such as `Latin`; empty where there are too few."""
    start = text[:look_at]
    if start.isascii():
        return "Latin" if sum(map(str.isalpha, start)) >= FEWEST_LETTERS else ""
    counts: dict[str, int] = {}
    for char in filter(str.isalpha, start):
        name = unicodedata.name(char, "?").split()[0].title()
        counts[name] = counts.get(name, 0) + 1
    if sum(counts.values()) < FEWEST_LETTERS:
        return ""
    return max(counts, key=lambda name: counts[name])
