"""What cannot be compared word by word: texts in different scripts."""

from __future__ import annotations

import unicodedata

FEWEST_LETTERS = 12
"""Fewer letters do not tell a script."""


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
