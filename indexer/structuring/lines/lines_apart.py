"""Several numbered paragraphs on one line, as converters of PDF files write them.

`1.1 This Guideline is issued. 1.2 Its terms are …`: a number that comes next in the text opens a
line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from indexer.structuring.labels.line_labels import CITED
from indexer.structuring.labels.order import dotted_follows

_NUMBER = re.compile(r"(?:(?<![\w.,(–-])|(?<=\s\.))(\d{1,5}(?:\.\d{1,3}){1,3})\s+(?=[A-Z“\"(])")
_AT_START = re.compile(r"\W*(\d{1,3}(?:\.\d{1,3}){1,3})\s")
_FEWEST = 2
"""Lines that begin with such a number."""
_LIST = re.compile(r"(?:\b(?:and|or|to|of|in|with|under|see|than|at|by)|[,–-])\s*$", re.IGNORECASE)
"""What comes before a number that a sentence cites."""


def lines_apart(lines: Sequence[str], fenced: Collection[int]) -> tuple[list[str], list[int]]:
    """Return the lines, those with several numbers parted, and the 0-based place of each.

    Args:
        lines: of a text.
        fenced: 0-based places of lines inside a fence.
    """
    begun = [found for line in lines if (found := _AT_START.match(line))]
    if len(begun) < _FEWEST:
        return list(lines), list(range(len(lines)))
    parted: list[str] = []
    places: list[int] = []
    last: list[str] = []
    for at, line in enumerate(lines):
        pieces = [line]
        if at not in fenced:
            pieces, last = _pieces(line, last)
        parted += pieces
        places += [at] * len(pieces)
    return parted, places


def _pieces(line: str, last: list[str]) -> tuple[list[str], list[str]]:
    """Return a line cut before each number that comes next, and the last number of it."""
    starts = [0]
    doubtful: tuple[int, list[str]] | None = None
    for found in _NUMBER.finditer(line):
        at, number = _without_page(found, last)
        before = line[starts[-1] : at]
        if not before.strip(" >*#-"):
            last = number
        elif last and dotted_follows(number, last):
            if _is_cited(before):
                doubtful = at, number
                continue
            starts.append(at)
            last = number
        elif doubtful and dotted_follows(number, doubtful[1]) and not _is_cited(before):
            starts += [doubtful[0], at]  # the next one confirms it
            last = number
        doubtful = None
    cut = [line[a:b].rstrip() for a, b in pairwise(starts)]
    return [*cut, line[starts[-1] :]], last


def _without_page(found: re.Match[str], last: list[str]) -> tuple[int, list[str]]:
    """Return where a number begins and the number: `82.4` is page 8 and the 2.4 after 2.3."""
    number = found[1].split(".")
    if last and not dotted_follows(number, last):
        for cut in range(1, len(found[1].partition(".")[0])):
            shorter = found[1][cut:].split(".")
            if len(shorter) == len(last) and dotted_follows(shorter, last):
                return found.start() + cut, shorter
    return found.start(), number


def _is_cited(before: str) -> bool:
    return CITED.search(before.rstrip()) is not None or _LIST.search(before) is not None
