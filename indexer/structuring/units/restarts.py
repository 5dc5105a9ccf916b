"""Units whose numbers start again, so that they need the number of their part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TypeVar

Unit = TypeVar("Unit", bound=Hashable)

_FIRST = 1
"""A number that stood before and is not the first does not start again: it is repeated."""
_DIGITS = re.compile(r"\d+")
_MAIN = 0.6
"""Least share of the units that make a run the main one, which keeps its numbers bare."""


def restarted(units: Iterable[tuple[Unit, str]]) -> frozenset[Unit]:
    """Return the units whose number is elsewhere too.

    The articles of a code keep their numbers where its final title begins again with 1; where
    each part begins with 1, all that are repeated need their part.
    """
    runs: list[list[tuple[Unit, str]]] = [[]]
    seen: set[str] = set()
    for unit, number in units:
        if number in seen and _value(number) <= _FIRST:
            runs.append([])
        runs[-1].append((unit, number))
        seen.add(number)
    if len(runs) == 1:
        return frozenset()
    main = max(runs, key=len)
    if len(main) >= _MAIN * sum(map(len, runs)):
        return frozenset(unit for run in runs if run is not main for unit, _ in run)
    counts = Counter(number for run in runs for number in {number for _, number in run})
    return frozenset(unit for run in runs for unit, number in run if counts[number] > 1)


def _value(number: str) -> int:
    found = _DIGITS.search(number)
    return int(found.group()) if found else 0
