"""Tables: as rows of text, or as the paragraphs that one boxes or sets side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from indexer.blocks import Block
from indexer.readers.docx.markup import attribute, child, number_of, switch, value_of
from indexer.readers.docx.styles import Styles
from indexer.readers.xml.parsing import local_name
from indexer.structuring.labels.labels import Label, automatic_label
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


def inside(element: Element, kind: str) -> Iterator[Element]:
    """Yield the rows of a table or the cells of a row, through content controls."""
    for inner in element:
        found = local_name(inner)
        if found == kind:
            yield inner
        elif found in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            yield from inside(inner, kind)


def _cells(row: Row, drawn: Element) -> Iterator[Cell]:
    """Yield the cells of a row, with an empty one for the columns that it leaves out."""
    properties = child(drawn, "trPr")
    heads = bool(switch(properties, "tblHeader"))
    before, after = (value_of(properties, f"grid{where}") for where in ("Before", "After"))
    yield from (Cell("", columns, 1, heads) for columns in (number_of(before),) if columns > 0)
    for blocks, cell in zip(row, inside(drawn, "tc"), strict=True):
        merged, columns = child(cell, "tcPr", "vMerge"), value_of(cell, "tcPr", "gridSpan")
        goes_on = merged is not None and attribute(merged, "val") != "restart"
        yield Cell(cell_text(blocks), number_of(columns) or 1, int(not goes_on), heads)
    yield from (Cell("", columns, 1, heads) for columns in (number_of(after),) if columns > 0)


def data_text(rows: Sequence[Row], drawn: Sequence[Element]) -> str:
    """Return a table of data, its rows as lines."""
    cells = (list(_cells(row, one)) for row, one in zip(rows, drawn, strict=True))
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
    return any(attribute(line, "val") not in (None, "nil", "none") for line in lines)
