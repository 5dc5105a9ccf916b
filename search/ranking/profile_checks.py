"""What the numbers of a profile may be, whether code or a file gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from search.ranking.profiles import AlphaStep

MOST_CANDIDATES = 1000
"""Deepest leg and most candidates for a reranker: servers answer no more than some thousands
in one request, and a reranker reads a thousand passages in many seconds."""

WEIGHTS = frozenset({
    "document_weight", "heading_weight", "heading_share", "memory_weight", "rerank_weight"
})  # fmt: skip
COUNTS = frozenset({"depth", "rerank_count"})
CHOICES: Mapping[str, Sequence[str]] = {
    "fusion": ("convex", "rrf"),
    "alpha_shape": ("steps", "smooth"),
}


def problem_of(field: str, value: object) -> str:
    """Return what is wrong with a weight, a count or a choice, as a sentence; empty: nothing."""
    if field in WEIGHTS and not is_weight(value):
        return f"{field} must be a number from 0 to 1, not {value!r}."
    if field in COUNTS and not (type(value) is int and 1 <= value <= MOST_CANDIDATES):
        return f"{field} must be a whole number from 1 to {MOST_CANDIDATES}, not {value!r}."
    if field in CHOICES and value not in CHOICES[field]:
        return f"{field} must be {' or '.join(CHOICES[field])}, not {value!r}."
    return ""


def problem_of_alpha(rows: Sequence[AlphaStep], *, smooth: bool) -> str:
    """Return what is wrong with the rows of the lexical weight; empty: nothing."""
    if not isinstance(rows, Sequence) or not all(hasattr(row, "words") for row in rows):
        return f"alpha must be a tuple of search.AlphaStep, not {rows!r:.80}."
    if not rows:
        return "alpha must have a row, such as { words = 4, value = 0.7 }."
    for row in rows:
        if not is_weight(row.value):
            return f"the value of each row of alpha is a number from 0 to 1, not {row.value!r}."
    words: list[Any] = [row.words for row in (rows if smooth else rows[:-1])]
    if not all(type(one) is int and one >= 1 for one in words) or words != sorted(set(words)):
        return "the words of the rows of alpha must be there, and rise."
    if not smooth and rows[-1].words is not None:
        return "the last row of alpha has no words: it is for all longer ones."
    return ""


def is_weight(value: object) -> bool:
    """Tell whether a value is a number from 0 to 1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
