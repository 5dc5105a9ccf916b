"""Several numbered paragraphs on one line, as converters of PDF files write them.

`1.1 This Guideline is issued. 1.2 Its terms are …`: a number that comes next in the text opens a
line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from indexer.numbering.line_labels import CITED

_NUMBER = re.compile(r"(?<![\w.,(–-])(\d{1,3}(?:\.\d{1,3}){1,3})\s+(?=[A-Z“\"(])")
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
    last: tuple[int, ...] = ()
    for at, line in enumerate(lines):
        pieces = [line]
        if at not in fenced:
            pieces, last = _pieces(line, last)
        parted += pieces
        places += [at] * len(pieces)
    return parted, places


def _pieces(line: str, last: tuple[int, ...]) -> tuple[list[str], tuple[int, ...]]:
    """Return a line cut before each number that comes next, and the last number of it."""
    pieces: list[str] = []
    start = 0
    for found in _NUMBER.finditer(line):
        number = tuple(map(int, found[1].split(".")))
        before = line[start : found.start()]
        if not before.strip(" >*#-"):
            last = number
        elif last and _comes_next(number, last) and not _is_cited(before):
            pieces.append(before.rstrip())
            start, last = found.start(), number
    return [*pieces, line[start:]], last


def _is_cited(before: str) -> bool:
    return CITED.search(before.rstrip()) is not None or _LIST.search(before) is not None


def _comes_next(number: tuple[int, ...], last: tuple[int, ...]) -> bool:
    """Return whether a number is the next: 1.2 or 1.1.1 or 2.1 after 1.1."""
    if number == (*last, 1):
        return True
    for size in range(len(last), 0, -1):
        head = (*last[: size - 1], last[size - 1] + 1)
        if number == head or (number[: len(head)] == head and set(number[len(head) :]) == {1}):
            return True
    return False
