"""The tables of workbooks; formulas count as the values that were saved."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime, time
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer.readers.files import file_bytes, unusable
from indexer.readers.xml.parsing import local_name
from indexer.readers.zipped import PROTECTED, TEXT_BYTES, member_bytes, open_document, open_zip
from indexer.tables import MOST_REPEATED, Cell, grid

if TYPE_CHECKING:
    from lxml.etree import _Element

Table = tuple[str, Iterator[list[str]]]
"""The name of a table and the cells of its rows, read as they are asked for."""

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_MERGED = re.compile(
    rb"""<(?:\w+:)?mergeCell\s[^>]*?ref=["']([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})["']"""
)
Area = tuple[int, int, int, int]
"""Left, top, right and bottom of a merged cell, 0-based; it ends before the last two."""

_CELLS = frozenset({"table-cell", "covered-table-cell"})


def workbook_tables(path: Path, columns: int) -> Generator[Table]:
    """Yield the tables of a workbook; each is to be read before the next.

    Args:
        path: of an `.xlsx`, `.xlsm`, `.ods` or `.xls` file.
        columns: that are read of each row.

    Raises:
        InputError: it is protected, or could unpack to more than a workbook holds.
        Exception: whatever the libraries say of a damaged file.
    """
    with path.open("rb") as file:
        packed = file.read(2) == b"PK"
    suffix = path.suffix.lower()
    if suffix == ".xls" and not packed:
        yield from _old_workbook(path)
        return
    with open_zip(path) as opened:
        if suffix == ".ods":
            yield from _open_document(open_document(opened, path), columns)
            return
        merged = _checked(opened, path)
    yield from _workbook(path, columns, merged)


def _checked(opened: zipfile.ZipFile, path: Path) -> dict[str, list[str]]:
    """Unpack every part once, so that none is a bomb; return its merged cells by its name."""
    merged: dict[str, list[str]] = {}
    for info in opened.infolist():
        if info.filename.endswith(".xml"):
            data = member_bytes(opened, info.filename, path, TEXT_BYTES) or b""
            if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
                raise unusable(
                    f"{info.filename} has a document type, which no workbook has; save it again",
                    path,
                )
            merged[info.filename] = list(map(bytes.decode, _MERGED.findall(data)))
    return merged


def _workbook(path: Path, columns: int, merged: Mapping[str, list[str]]) -> Iterator[Table]:
    from openpyxl import load_workbook

    with (
        path.open("rb") as file,  # whose suffix the library does not look at
        closing(load_workbook(file, read_only=True, data_only=True)) as book,
    ):
        for sheet in book.worksheets:
            with closing(sheet.iter_rows(values_only=True, max_col=columns)) as rows:
                texts = (list(map(_cell, row)) for row in rows)
                areas = map(_numbered, merged.get(sheet._worksheet_path.lstrip("/"), ()))
                yield sheet.title, _unmerged(texts, list(areas))


def _numbered(area: str) -> Area:
    from openpyxl.utils import range_boundaries

    left, top, right, bottom = range_boundaries(area)
    return left - 1, top - 1, right, bottom


def _unmerged(rows: Iterator[list[str]], areas: Sequence[Area]) -> Iterator[list[str]]:
    """Yield rows with each merged cell in all that it covers; each keeps its place."""
    if not areas:
        return rows
    spans, covered = dict[tuple[int, int], tuple[int, int]](), set[tuple[int, int]]()
    for left, top, right, bottom in areas:
        columns, lines = range(left, right), range(top, bottom)
        if len(covered) + len(columns) * len(lines) <= MOST_REPEATED and columns and lines:
            spans[top, left] = (len(columns), len(lines))
            covered |= {(line, column) for line in lines for column in columns}
    covered -= spans.keys()
    cells = []
    for at, row in enumerate(rows):
        own = (column for column in range(len(row)) if (at, column) not in covered)
        line = [Cell(row[column], *spans.get((at, column), (1, 1))) for column in own]
        while len(line) > 1 and line[-1] == Cell(""):
            line.pop()
        cells.append(line or [Cell("")])
    table = grid(cells)
    return chain(repeat([], len(cells) - len(table)), table)


def _old_workbook(path: Path) -> Iterator[Table]:
    import xlrd

    try:
        book = xlrd.open_workbook(
            file_contents=file_bytes(path),
            on_demand=True,
            ragged_rows=True,
            logfile=io.StringIO(),
            formatting_info=True,
        )
    except xlrd.XLRDError as error:
        if "encrypted" in str(error):
            raise unusable(PROTECTED, path) from error
        raise
    for at in range(book.nsheets):
        sheet = book.sheet_by_index(at)
        rows = (sheet.row(row) for row in range(sheet.nrows))
        texts = ([_old_cell(cell, book.datemode) for cell in row] for row in rows)
        areas = [(left, top, right, bottom) for top, bottom, left, right in sheet.merged_cells]
        yield sheet.name, _unmerged(texts, areas)
        book.unload_sheet(at)


def _old_cell(cell: Any, since: int) -> str:
    """Return what a cell shows; dates are days since 1900 or 1904."""
    import xlrd

    if cell.ctype == xlrd.XL_CELL_DATE:
        return _cell(xlrd.xldate_as_datetime(cell.value, since))
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return str(bool(cell.value))
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, ""))
    return _cell(cell.value)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return str(value).strip()


def _open_document(root: _Element, columns: int) -> Iterator[Table]:
    for table in root.iterfind(f"{_OFFICE}body/{_OFFICE}spreadsheet/{_TABLE}table"):
        yield table.get(f"{_TABLE}name", ""), _unmerged(_rows(table, columns), list(_areas(table)))


def _areas(table: _Element) -> Iterator[Area]:
    top = 0
    for row in table.iter(f"{_TABLE}table-row"):
        left = 0
        for cell in (one for one in row if local_name(one) in _CELLS):
            wide, high, times = (
                int(cell.get(f"{_TABLE}number-{name}", "1"))
                for name in ("columns-spanned", "rows-spanned", "columns-repeated")
            )
            if wide > 1 or high > 1:
                yield left, top, left + wide, top + high
            left += times
        top += int(row.get(f"{_TABLE}number-rows-repeated", "1"))


def _rows(table: _Element, columns: int) -> Iterator[list[str]]:
    """Yield the rows up to the last that holds something; one element may be many of them."""
    empty = 0
    for row in table.iter(f"{_TABLE}table-row"):
        cells, times = _row(row, columns), int(row.get(f"{_TABLE}number-rows-repeated", "1"))
        if any(cells):
            yield from repeat([], empty)
            yield from repeat(cells, times)
            empty = 0
        else:
            empty += times


def _row(row: _Element, columns: int) -> list[str]:
    cells: list[str] = []
    empty = 0
    for cell in row:
        if local_name(cell) not in _CELLS:
            continue
        times = min(int(cell.get(f"{_TABLE}number-columns-repeated", "1")), columns)
        if text := cell.get(f"{_OFFICE}date-value", "").removesuffix("T00:00:00") or _text(cell):
            cells += [*[""] * empty, *[text] * times]
            empty = 0
        else:
            empty += times
        if len(cells) + empty >= columns:
            break
    return cells[:columns]


def _text(cell: _Element) -> str:
    """Return the paragraphs of a cell as they are shown, without the notes on it."""
    return "\n".join("".join(part.itertext()) for part in cell if local_name(part) == "p").strip()
