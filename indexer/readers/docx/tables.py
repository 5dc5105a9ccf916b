"""Tables: as rows of text, or as the paragraphs that one boxes or sets side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from indexer.blocks import Block
from indexer.numbering.labels import Label, automatic_label
from indexer.readers.docx.markup import attribute, child, name, number_of, value_of
from indexer.readers.docx.styles import Styles
from indexer.tables import CELL_MARK, Cell, grid

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

Row = Sequence[Sequence[Block]]
"""The cells of a row, each with its blocks."""


def cell_text(blocks: Sequence[Block]) -> str:
    """Return the paragraphs of a cell as lines, each with its number."""
    lines = (f"{block.label}\t{block.text.strip()}" if block.label else block.text.strip()
             for block in blocks)  # fmt: skip
    return "\n".join(lines)


def span_of(cell: Element) -> tuple[int, int]:
    """Return how many columns a cell covers, and 0 rows where it continues the cell above."""
    properties = child(cell, "tcPr")
    merged = child(properties, "vMerge")
    goes_on = merged is not None and attribute(merged, "val") != "restart"
    return number_of(value_of(properties, "gridSpan")) or 1, int(not goes_on)


def data_text(rows: Sequence[Row], spans: Sequence[Sequence[tuple[int, int]]]) -> str:
    """Return a table of data, its rows as lines."""
    cells = (
        [Cell(cell_text(cell), *span) for cell, span in zip(row, covered, strict=True)]
        for row, covered in zip(rows, spans, strict=True)
    )
    return "\n".join(map(CELL_MARK.join, grid(cells)))


def is_layout(table: Element, rows: Sequence[Row], styles: Styles) -> bool:
    """Return whether a table is only layout: a box around paragraphs, or numbers beside their text.

    It has one cell; or its first row is a numbered heading; or it has no borders, and the first
    cells of its rows are numbers such as `1.2`.
    """
    if [len(row) for row in rows] == [1]:
        return True
    first = next((cell[0] for row in rows[:1] for cell in row if cell), None)
    if first and first.label and first.heading_level is not None:
        return True
    labels = [label for row in rows if (label := _row_label(row))]
    opens = bool(rows) and _row_label(rows[0]) is not None
    dotted = any(label.shape == "dotted" for label in labels)
    return opens and dotted and not _bordered(table, styles)


def layout_blocks(rows: Sequence[Row]) -> Iterator[Block]:
    """Yield the paragraphs of such a table; rows of several texts stay a table."""
    kept: list[Row] = []
    for row in rows:
        filled = [cell for cell in row if cell]
        numbers = 0
        while numbers < len(filled) - 1 and _whole_label(filled[numbers]):
            numbers += 1
        if len(filled) - numbers > 1:
            kept.append(filled)
            continue
        yield from _kept(kept)
        kept = []
        if filled:
            typed = "".join(f"{cell_text(cell)}\t" for cell in filled[:numbers])
            first, *others = filled[-1]
            text = f"{first.label}\t{first.text}" if first.label and typed else first.text
            label = "" if typed else first.label
            yield replace(first, text=typed + text, label=label)
            yield from others
    yield from _kept(kept)


def _kept(rows: Sequence[Row]) -> Iterator[Block]:
    if rows:
        text = "\n".join("\t".join(map(cell_text, row)) for row in rows)
        yield Block(text=text, kind="table", place=rows[0][0][0].place)


def _row_label(row: Row) -> Label | None:
    """Return the number that the first cell of a row is, if it is one."""
    return _whole_label(row[0]) if row and row[0] else None


def _whole_label(cell: Sequence[Block]) -> Label | None:
    return automatic_label(cell[0].text.strip() or cell[0].label) if len(cell) == 1 else None


def _bordered(table: Element, styles: Styles) -> bool:
    """Return whether a table or its style draws lines."""
    properties = child(table, "tblPr")
    borders = child(properties, "tblBorders")
    if borders is None:
        style = attribute(child(properties, "tblStyle"), "val")
        borders = styles.table_borders(style)
    lines = borders if borders is not None else ()
    return any(attribute(line, "val") not in (None, "nil", "none") for line in lines if name(line))
