"""Words with a line drawn through them: they are no longer, or not yet, law."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from indexer.readers.pdf.drawn.pages import Box, Word

ABOVE = (0.12, 0.5)
"""Parts of the font size above the baseline between which a line strikes a word through; one that
underlines lies at the baseline or below it."""

COVERED = 0.8
"""Part of a word that the lines through it cover at least."""


def split_struck(
    words: Sequence[Word], rules: Sequence[Box]
) -> tuple[tuple[Word, ...], tuple[str, ...]]:
    """Return the words of a page, and the texts of those struck through.

    The latter are left without text, so that the gap between their neighbours is not a tab.
    """
    flat = sorted((rule for rule in rules if rule.lies), key=lambda rule: rule.top)
    if not flat:
        return tuple(words), ()
    tops = [rule.top for rule in flat]
    kept: list[Word] = []
    struck: list[str] = []
    for word in words:
        low, high = (word.baseline - part * word.size for part in ABOVE)
        through = flat[bisect_left(tops, high) : bisect_left(tops, low)]
        if _covered(word, through) >= COVERED:
            struck.append(word.text)
            kept.append(word._replace(text=""))
        else:
            kept.append(word)
    return tuple(kept), tuple(struck)


def _covered(word: Word, rules: Sequence[Box]) -> float:
    """Return which part of a word's width some lines cover."""
    width = word.right - word.left
    parts = (min(rule.right, word.right) - max(rule.left, word.left) for rule in rules)
    return sum(part for part in parts if part > 0) / width if width > 0 else 0.0
