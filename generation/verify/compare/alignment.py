"""Lays a statement and its passage side by side, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generation.verify.compare.words import Word
from search.text.stop_words import FUNCTION_WORDS

CONTENT_WEIGHT = 4
"""What a shared word counts against a shared function word: the content decides what lies beside
what."""

MOST_WORDS = 400
"""Words of either side that are laid beside each other: the table grows with their product."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the two differ, between words that they share."""

    said: tuple[Word, ...]
    source: tuple[Word, ...]
    before: int
    """How many words directly before it are the same on both sides."""
    after: int
    """How many directly behind it."""


def differences(said: Sequence[Word], source: Sequence[Word]) -> list[Difference]:
    """Return the differences of two texts by their heaviest common subsequence, in order.

    Only the first `MOST_WORDS` words of each side are looked at.
    """
    said, source = said[:MOST_WORDS], source[:MOST_WORDS]
    ends = [(-1, -1), *_common(said, source), (len(said), len(source))]
    breaks = [k for k, ((i, j), end) in enumerate(pairwise(ends)) if end != (i + 1, j + 1)]
    found = []
    for number, k in enumerate(breaks):
        earlier = breaks[number - 1] if number else 0
        later = breaks[number + 1] if number + 1 < len(breaks) else len(ends) - 2
        (i, j), (i_end, j_end) = ends[k], ends[k + 1]
        found.append(
            Difference(
                tuple(said[i + 1 : i_end]), tuple(source[j + 1 : j_end]), k - earlier, later - k
            )
        )
    return found


def _common(said: Sequence[Word], source: Sequence[Word]) -> list[tuple[int, int]]:
    """Return the places of a heaviest common subsequence."""
    if not said or not source:
        return []
    forms: dict[str, int] = {}
    left = [forms.setdefault(word.form, len(forms)) for word in said]
    right = np.array([forms.setdefault(word.form, len(forms)) for word in source])
    weights = [1 if word.form in FUNCTION_WORDS else CONTENT_WEIGHT for word in said]
    table = np.zeros((len(left) + 1, len(right) + 1), dtype=np.int32)
    for row, (form, weight) in enumerate(zip(left, weights, strict=True), start=1):
        above = table[row - 1]
        heaviest = np.where(right == form, above[:-1] + weight, above[1:])
        np.maximum.accumulate(heaviest, out=table[row, 1:])
    return _way_back(table, left, right.tolist(), weights)


def _way_back(
    table: NDArray[np.int32], left: Sequence[int], right: Sequence[int], weights: Sequence[int]
) -> list[tuple[int, int]]:
    pairs = []
    i, j = len(left), len(right)
    while i and j:
        here = table[i, j]
        if left[i - 1] == right[j - 1] and here == table[i - 1, j - 1] + weights[i - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif here == table[i, j - 1]:
            j -= 1
        else:
            i -= 1
    return pairs[::-1]
