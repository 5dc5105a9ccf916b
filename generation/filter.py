"""The score filter: which of the ranked passages are good enough to answer from (RIRAG, 5.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from search.errors import InputError
from search.records import Hit

EPSILON = 1e-6
"""Scores are float32 sums of normalised legs: two that print the same can differ in the seventh
digit, so both borders give way by this much. A drop of 0.2 and a score of 0.7 pass."""


@dataclass(frozen=True, slots=True)
class FilterSettings:
    """The three numbers of the filter; the defaults are those of RIRAG, section 5.2."""

    max_passages: int = 10
    max_drop: float = 0.2
    """A fall between neighbours above this ends the walk; 0 to 1."""
    min_score: float = 0.7
    """Passages below this are not used; 0 to 1."""

    def __post_init__(self) -> None:
        if self.max_passages < 1:
            raise InputError(
                f"The filter's max_passages is {self.max_passages}; it must be at least 1."
            )
        for name, value in (("max_drop", self.max_drop), ("min_score", self.min_score)):
            if math.isnan(value) or not 0 <= value <= 1:
                raise InputError(f"The filter's {name} is {value}; it must be between 0 and 1.")


@dataclass(frozen=True, slots=True)
class FilterResult:
    """The passages kept, best first, and why the walk ended there."""

    kept: tuple[Hit, ...]
    reason: str
    considered: int
    """How many passages with text were looked at."""
    settings: FilterSettings

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "max_passages": self.settings.max_passages,
            "max_drop": self.settings.max_drop,
            "min_score": self.settings.min_score,
            "considered": self.considered,
            "kept": len(self.kept),
            "reason": self.reason,
        }


def filter_hits(hits: Sequence[Hit], settings: FilterSettings | None = None) -> FilterResult:
    """Keep the hits that are worth answering from.

    Walks the hits in the order of their ranks and applies the numbers to `hit.score`, the score
    that is shown. Empty passages and bare headings are passed over: they hold nothing to quote,
    and the neighbours of the walk are the hits on either side of them.
    """
    settings = settings or FilterSettings()
    readable = [hit for hit in hits if hit.text.strip() and hit.passage.kind != "heading"]
    kept: list[Hit] = []
    for hit in readable[: settings.max_passages]:
        stop = _reason_to_stop(kept[-1] if kept else None, hit, settings)
        if stop:
            return FilterResult(tuple(kept), stop, len(kept) + 1, settings)
        kept.append(hit)
    return FilterResult(tuple(kept), _end_of_walk(readable, settings), len(kept), settings)


def _reason_to_stop(before: Hit | None, hit: Hit, settings: FilterSettings) -> str:
    if before is not None and before.score - hit.score > settings.max_drop + EPSILON:
        return (
            f"Stopped before rank {hit.rank}: the score falls from {before.score:.3f} to "
            f"{hit.score:.3f}, by more than {settings.max_drop:g}."
        )
    if not hit.score >= settings.min_score - EPSILON:
        return (
            f"Stopped before rank {hit.rank}: its score of {hit.score:.3f} is below the floor "
            f"of {settings.min_score:g}."
        )
    return ""


def _end_of_walk(readable: Sequence[Hit], settings: FilterSettings) -> str:
    if not readable:
        return "There was no passage with text to consider."
    if len(readable) > settings.max_passages:
        return f"Stopped after {settings.max_passages} passages, the most that are used."
    return "All passages found were used."
