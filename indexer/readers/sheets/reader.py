"""Tables whose rows are passages: `.csv`, `.tsv`, `.xlsx`, `.xlsm`, `.xls`, `.ods`."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from warnings import catch_warnings, simplefilter

from indexer.blocks import LeftOut
from indexer.control import control_fields
from indexer.problems import Problems
from indexer.readers.columns import PROSE, dated, mean_words, number_score
from indexer.readers.files import file_bytes, guessed_text, is_text, too_large, unusable
from indexer.readers.json.fields import RecordsReader
from indexer.readers.protocol import WholeDocument
from indexer.readers.sheets.workbooks import workbook_tables
from indexer.tables import CELL_MARK
from indexer.titles import NAMES, first_title
from search.errors import InputError
from search.records import Passage

MOST_ROWS = 200_000
MOST_EMPTY = 2_000
MOST_COLUMNS = 500
MOST_SHEETS = 200
TITLE_WORDS = 15
ABOVE, ABOUT = "above the names of the columns", "a sheet about the others"
_LOOKED_AT = 25
"""Rows among which the names of the columns are, that hold something."""
_MOST_HEADS = 2
"""Further rows of headings at most."""
_SURE = 0.8
_FACT = re.compile(r"^(?=.*\d)[\d\W]+$|:(?:\s|$)")
"""A number, a date or `Owner: Head of IT`: no name of a column."""
_DELIMITERS = ",;\t|"
_FIELD = 4 << 20
"""Characters of one cell of a CSV file at most."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table."""

    name: str
    columns: tuple[str, ...]
    rows: list[tuple[int, dict[str, str]]]
    """1-based row, and its cells that hold something."""
    above: list[LeftOut] = field(default_factory=list)
    """Cells above the names of the columns."""
    control: Mapping[str, str] = field(default_factory=dict)
    """What they say of the table: its owner, its date."""

    @property
    def title(self) -> str:
        """What the first row says, if it is one cell above the names of the columns."""
        first = [left.text for left in self.above if left.place == self.above[0].place]
        one = len(first) == 1 and len(first[0].split()) <= TITLE_WORDS
        return first_title(first) if one else ""

    def pairs(self) -> list[tuple[str, str]]:
        """Return the names and values that its rows are; []: it is another table."""
        rows = [self.columns, *(tuple(cells.values()) for _, cells in self.rows)]
        return [(row[0], row[1]) for row in rows] if all(len(row) == 2 for row in rows) else []

    @property
    def said_title(self) -> str:
        """The title among its names and values."""
        return first_title(value for name, value in self.pairs() if name.casefold() in NAMES)


def read_sheets(path: Path) -> list[Sheet]:
    """Return the tables of a file.

    Raises:
        InputError: it is damaged, protected, or larger than a table of passages can be.
    """
    if path.suffix.lower() in {".csv", ".tsv"}:
        return [_sheet(path.stem, _csv_rows(path), path)]
    try:
        with catch_warnings(), closing(workbook_tables(path, MOST_COLUMNS + 1)) as tables:
            simplefilter("ignore")
            return [_sheet(name, rows, path) for name, rows in islice(tables, MOST_SHEETS)]
    except InputError:
        raise
    except Exception as error:  # the libraries raise whatever ZIP, XML and records raise
        raise unusable(
            "no workbook that can be read; open it in a spreadsheet program and save it again", path
        ) from error


def _csv_rows(path: Path) -> Iterator[list[str]]:
    text, _ = guessed_text(file_bytes(path))
    if not is_text(text):
        raise InputError("no text; save it as CSV in UTF-8", path, code="source.encoding")
    first = text.lstrip("\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    csv.field_size_limit(_FIELD)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    except csv.Error as error:
        raise unusable(f"no CSV that can be read ({error}); save it again", path) from error


def _sheet(name: str, rows: Iterable[Sequence[str]], path: Path) -> Sheet:
    """Return a table, and what is above the row that names its columns."""
    filled = _filled(rows, path)
    top = list(islice(filled, _LOOKED_AT))
    at = _names_at(top)
    top = _with_one_head(top, at)
    above = [LeftOut(cell, ABOVE, row) for row, cells in top[:at] for cell in cells if cell]
    columns = _columns(top[at][1]) if at < len(top) else ()
    found: list[tuple[int, dict[str, str]]] = []
    for number, cells in chain(top[at + 1 :], filled):
        if len(columns) < len(cells):
            columns = _columns([*columns, *[""] * (len(cells) - len(columns))])
        named = zip(columns, cells, strict=False)
        found.append((number, {column: cell for column, cell in named if cell}))
    control = control_fields(text for _, cells in top[:at] for text in _control_texts(cells))
    return Sheet(name, columns, found, above, control)


def _filled(rows: Iterable[Sequence[str]], path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that hold something, each with its 1-based number and without empty ends."""
    last = 0
    for number, row in enumerate(islice(rows, MOST_ROWS + 1), start=1):
        if number > MOST_ROWS:
            raise too_large(path, f"has more than {MOST_ROWS:,} rows; split it")
        filled = [cell.strip() for cell in row]
        while filled and not filled[-1]:
            filled.pop()
        if len(filled) > MOST_COLUMNS:
            problem = f"row {number} has more than {MOST_COLUMNS} cells; split the table"
            raise too_large(path, problem)
        last = number if filled else last
        if number - last > MOST_EMPTY:
            problem = f"has more than {MOST_EMPTY:,} empty rows one after the other; remove them"
            raise too_large(path, problem)
        if filled:
            yield number, filled


def _names_at(top: Sequence[tuple[int, Sequence[str]]]) -> int:
    """Return which row names the columns: the first with two cells that says nothing of the table.

    Rows that say something of it (`Owner: Head of IT`, `as of | 2026-06-01`) fill at most half of
    the columns, and hold a fact, a gap or an empty row behind them.
    """
    widest = max((sum(map(bool, cells)) for _, cells in top), default=0)
    for at, (number, cells) in enumerate(top):
        count = sum(map(bool, cells))
        parted = at + 1 < len(top) and top[at + 1][0] > number + 1
        aside = parted or count < len(cells) or any(map(_FACT.search, cells))
        says = aside or bool(control_fields(_control_texts(cells)))
        if count > 1 and not (2 * count <= widest and says):
            return at
    return len(top)


def _with_one_head(top: list[tuple[int, list[str]]], at: int) -> list[tuple[int, list[str]]]:
    """Return rows with the further rows of headings joined to the first: all that look unlike rows.

    Headings are in a row without a number and a longer text where the rows below have both.
    """
    below = [cells for _, cells in top[at + 1 :]]
    width = max(map(len, below), default=0)
    columns = {str(i): [row[i] if i < len(row) else "" for row in below] for i in range(width)}
    rest = {name: values[_MOST_HEADS:] for name, values in columns.items()}
    numbers = [name for name, values in rest.items() if number_score(values) > _SURE]
    texts = [name for name, values in rest.items() if mean_words(values) >= PROSE]
    count = 0
    while (
        numbers
        and texts
        and count < min(_MOST_HEADS, len(below))
        and all(columns[name][count] for name in texts)
        and not any(
            c.isdigit() or c.isupper() for name in numbers for c in columns[name][count][1:]
        )
        and all(len(cell.split()) < 2 * PROSE for cell in below[count])
    ):
        count += 1
    if not count:
        return top
    heads = [cells for _, cells in top[at : at + 1 + count]]
    joined = [
        " – ".join(dict.fromkeys(filter(None, (row[i] for row in heads if i < len(row)))))
        for i in range(max(map(len, heads)))
    ]
    return [*top[:at], (top[at][0], joined), *top[at + 1 + count :]]


def _control_texts(cells: Sequence[str]) -> Iterator[str]:
    """Yield what a row says of its table: cells such as `Owner: Ops`, and the others as pairs."""
    yield from (cell for cell in cells if ":" in cell)
    yield CELL_MARK.join(cell for cell in cells if cell and ":" not in cell)


def _columns(cells: Sequence[str]) -> tuple[str, ...]:
    """Return names of columns, each once; a column without one is called by its place."""
    names: dict[str, None] = {}
    for at, cell in enumerate(cells, start=1):
        name = cell or f"Column {at}"
        names[name if name not in names else f"{name} {at}"] = None
    return tuple(names)


class SheetReader(WholeDocument, RecordsReader):
    """Reads one table or several; a row of cells above the others names the columns."""

    name = "table"
    suffixes = frozenset({".csv", ".tsv", ".xlsx", ".xlsm", ".xls", ".ods"})

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield a passage for each row; the place of each is its row."""
        every = read_sheets(path)
        sheets = [sheet for sheet in every if sheet.rows]
        problems.leave_out(source, [left for sheet in every for left in sheet.above])
        if absent := self._absent(sheets):
            raise InputError(absent, path, code="source.fields")
        if not sheets:
            raise InputError("holds no row below its first", path, code="source.empty")
        # The title of one of several tables names that table, and not the file.
        title = every[0].title if every and (len(sheets) < 2 or not every[0].rows) else ""
        title = title or (every[0].said_title if len(sheets) > 1 else "")
        about = [sheet for sheet in sheets if sheet.said_title and len(sheets) > 1]
        said = dated(pair for sheet in about for pair in sheet.pairs())
        for sheet in sheets:
            if sheet in about:
                texts = (LeftOut(" ".join(pair), ABOUT) for pair in sheet.pairs())
                problems.leave_out(source, texts)
                continue
            table = f"{sheet.name}, row" if len(sheets) > 1 else "Row"
            for passage in self.passages(sheet.rows, path, source, problems, table=table):
                yield replace(
                    passage,
                    document_title=passage.document_title or title,
                    metadata={**said, **sheet.control, **passage.metadata},
                )

    def _absent(self, sheets: Sequence[Sheet]) -> str:
        """Return which named column no table has, and what columns there are, or ""."""
        columns = dict.fromkeys(column for sheet in sheets for column in sheet.columns)
        missing = [name for name in self.fields.values() if name not in columns]
        if not missing or not columns:
            return ""
        return f"has no column {missing[0]!r}; name one of {', '.join(columns)} with --map"
