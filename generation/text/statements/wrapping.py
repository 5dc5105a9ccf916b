"""Distinguish lines that a narrow page broke from lines that end a paragraph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from generation.text.statements.headings import reads_as_heading
from generation.text.statements.markers import find_marker
from search.text.stop_words import FUNCTION_WORDS

NARROWEST, WIDEST = 50, 120
"""Characters of the longest line of a text that may have been broken to fit a page."""

_CLOSED = re.compile(r"[.!?:;—–|][\"'”’)\]]*$|[;,]\s*(?:and|or)$")
_CLOSES_ITEM = re.compile(r";(?: and| or)?$")
_LAST_WORD = re.compile(r"(\w+)$")


def broken_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the places of the lines that continue the one before, whatever they begin with.

    The line before ends no sentence and no clause. It is prose and no title, or it ends with a
    word that nothing ends with (`signed by the`), or it is a list item that ends so far to the
    right that the next word had no room, and the rest looks like the end of one.
    """
    lines = [line.rstrip() for line in lines]
    width = max(map(len, lines), default=0)
    broken: set[int] = set()
    for place, (before, line) in enumerate(pairwise(lines), start=1):
        if not before.strip() or not line.strip() or _CLOSED.search(before):
            continue
        goes_on = place - 1 in broken or before.lstrip()[:1].islower()
        if _ends_within(before) or _runs_on(before, line, width, goes_on):
            broken.add(place)
    return frozenset(broken)


def _ends_within(line: str) -> bool:
    """Return whether a line ends with a word that must be followed by another."""
    last = _LAST_WORD.search(line)
    return last is not None and last[1].islower() and last[1] in FUNCTION_WORDS


def _runs_on(before: str, line: str, width: int, goes_on: bool) -> bool:
    if find_marker(before) is None:
        return goes_on or not reads_as_heading(before)
    full = len(before) + 1 + len(line.split(maxsplit=1)[0]) > width
    return NARROWEST <= width <= WIDEST and full and bool(_CLOSES_ITEM.search(line))
