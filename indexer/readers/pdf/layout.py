"""One page as lines in reading order, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from indexer.readers.pdf.columns import columns
from indexer.readers.pdf.drawn.legible import is_legible
from indexer.readers.pdf.drawn.pages import Box, Page
from indexer.readers.pdf.drawn.struck import split_struck
from indexer.readers.pdf.lines import Line, lines_of
from indexer.readers.pdf.side_notes import split_side_notes, with_notes
from indexer.readers.pdf.tables import Table, find_tables

PICTURE = 0.4
"""Part of a page without text that pictures cover where it is a scan, and no empty page."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was understood of one page."""

    number: int
    height: float
    lines: tuple[Line, ...]
    """In reading order; those in tables are not among them."""
    tables: tuple[Table, ...]
    images: tuple[Box, ...]
    turned: tuple[str, ...]
    """Words that run in another direction than the text."""
    pictured: bool
    """Whether the page is nothing but a picture."""
    struck: tuple[str, ...] = ()
    """Words with a line through them."""
    notes: tuple[str, ...] = ()
    """What is in the margin beside no number."""
    illegible: str = ""
    """The text of a page whose fonts give other letters than it shows."""


def lay_out(page: Page) -> Sheet:
    """Return a page's lines, tables and pictures."""
    if not is_legible(word.text for word in page.words):
        text = " ".join(word.text for word in page.words)
        return Sheet(
            page.number, page.height, (), (), page.images, page.turned, False, illegible=text
        )
    words, struck = split_struck(page.words, page.rules)
    tables, free = find_tables(words, page.rules)
    free, notes = split_side_notes(free)
    flat = [rule for rule in page.rules if rule.lies]
    found = columns(free)
    several = len(found) > 1
    lines = [
        replace(line, column=number)
        for number, text in enumerate(found, start=int(several))
        for line in lines_of(text, page.number, flat)
    ]
    lines, unused = with_notes(lines, notes)
    return Sheet(
        number=page.number,
        height=page.height,
        lines=tuple(lines),
        tables=tuple(tables),
        images=page.images,
        turned=page.turned,
        pictured=not page.words and _covered(page) >= PICTURE,
        struck=struck,
        notes=tuple(note.text for note in unused),
    )


def _covered(page: Page) -> float:
    """Return which part of a page pictures cover; more than 1 where they overlap."""
    area = page.width * page.height
    return sum(image.width * image.height for image in page.images) / area if area else 0.0


def placed(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return pages whose lines are relative to the left edge of the text.

    The edges are those of all left, or all right pages, since a page may hold but indented text;
    a column of several has its own.
    """
    edges = [_edges(sheets[odd::2]) for odd in (0, 1)]
    found = []
    for at, sheet in enumerate(sheets):
        own = {
            number: _edges([replace(sheet, lines=_of(sheet, number))], number)
            for number in {line.column for line in sheet.lines}
        }
        own[0] = edges[at % 2]
        lines = []
        for line in sheet.lines:
            left, right = own[line.column]
            lines.append(line.placed(left, right - left))
        found.append(replace(sheet, lines=tuple(lines)))
    return found


def _of(sheet: Sheet, column: int) -> tuple[Line, ...]:
    return tuple(line for line in sheet.lines if line.column == column)


def _edges(sheets: Sequence[Sheet], column: int = 0) -> tuple[float, float]:
    """Return the left and right edge of a column, without the outermost line of a hundred."""
    lines = [line for sheet in sheets for line in sheet.lines if line.column == column]
    if not lines:
        return 0.0, 0.0
    few = len(lines) // 100
    lefts = sorted(line.left for line in lines)
    rights = sorted((line.right for line in lines), reverse=True)
    return lefts[few], rights[few]
