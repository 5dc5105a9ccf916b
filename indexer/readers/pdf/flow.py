"""What is on the pages, one after the other: lines, tables and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indexer.readers.pdf.drawn.pages import Box
from indexer.readers.pdf.layout import Sheet
from indexer.readers.pdf.lines import Line
from indexer.readers.pdf.tables import Table

LEAST_PICTURE = 36.0
"""Points that a picture is wide and high at least: smaller ones are ornaments."""

REPEATED = 3
"""Pictures of the same size from which they belong to the paper, not to the text."""


class Picture(NamedTuple):
    """A picture of the text."""

    page: int


Piece = Line | Picture | tuple[Table, int]
"""A line, a picture, or a table and its page."""


def flow(sheets: Sequence[Sheet]) -> Iterator[Piece]:
    """Yield the pieces of a document in reading order.

    A table or picture comes before the first line that is lower.
    """
    sizes = Counter(_size(image) for sheet in sheets for image in set(sheet.images))
    for sheet in sheets:
        waiting: list[tuple[float, Piece]] = [
            (table.box.top, (table, sheet.number)) for table in sheet.tables
        ]
        waiting += [
            (image.top, Picture(sheet.number))
            for image in sheet.images
            if sizes[_size(image)] < REPEATED and min(image.width, image.height) >= LEAST_PICTURE
        ]
        waiting.sort(key=lambda one: one[0], reverse=True)
        for line in sheet.lines:
            while waiting and waiting[-1][0] < line.baseline:
                yield waiting.pop()[1]
            yield line
        while waiting:
            yield waiting.pop()[1]


def _size(image: Box) -> tuple[int, int]:
    return round(image.width), round(image.height)
