"""Raised figures at the beginning of paragraphs that number them, as in Swiss law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from indexer.readers.pdf.layout import Sheet
from indexer.readers.pdf.lines import Line
from indexer.structuring.label_order import core_follows

FEWEST = 3
"""Raised figures before a line that may number paragraphs; fewer are marks of notes."""

COUNT_ON = 0.75
"""Share of them that are at least 1 or come after the one before."""


def with_raised_numbers(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return pages on which raised figures that count paragraphs are numbers: `(1)` and a tab.

    Marks of footnotes count through a document; numbers of paragraphs begin at 1 again and again.
    """
    numbers = [n for sheet in sheets for line in sheet.lines if (n := _raised(line))]
    counted = sum(n == "1" or core_follows(n, before) for before, n in pairwise(["0", *numbers]))
    if len(numbers) < FEWEST or counted < COUNT_ON * len(numbers):
        return list(sheets)
    if numbers.count("1") < 2 and numbers[0] != "1":
        return list(sheets)
    return [replace(s, lines=tuple(map(_numbered, s.lines))) for s in sheets]


def _raised(line: Line) -> str:
    """Return the raised figure that a line begins with, or ""."""
    if not line.marks or line.marks[0][0] or not line.text.strip():
        return ""
    mark = line.marks[0][1]
    return mark if mark[0].isdigit() else ""


def _numbered(line: Line) -> Line:
    number = _raised(line)
    if not number:
        return line
    head = f"({number})\t"
    moved = tuple((at + len(head), mark) for at, mark in line.marks[1:])
    return replace(line, text=head + line.text.lstrip(), marks=moved)
