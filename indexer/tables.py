r"""A table as text: its rows as lines between `\Table Start` and `\Table End`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element

START, END = "\\Table Start", "\\Table End"
CELL_MARK = "\t"
"""What is between two cells of a row."""

MOST_REPEATED = 200_000
"""Characters that merged cells add to a table at most; behind them, merged cells come once."""
MOST_HEADS = 4
"""Rows of headings at most, each of which parts those of the row above."""
_COLUMNS = ("colspan", "number-columns-spanned")
_ROWS = ("rowspan", "number-rows-spanned")
"""Attributes of HTML and Formex, and of OpenDocument."""
_CALS = ("namest", "nameend")
"""Attributes of CALS tables: the columns that a cell begins and ends in."""
_MOST_DIGITS = 5
_TO_THE_END = 65_534
"""Rows that a cell of HTML covers at most."""


class Cell(NamedTuple):
    """A cell as its format has it."""

    text: str
    columns: int = 1
    rows: int = 1
    """0: it continues the cell above."""
    is_heading: bool = False


def cell_of(element: _Element, text: str, *, is_heading: bool = False) -> Cell:
    """Return a cell of a markup format; a span that is not a number counts as 1."""
    found = {str(name).rpartition("}")[2].lower(): str(value) for name, value in element.items()}
    columns = next((_span(found[name]) for name in _COLUMNS if name in found), 1)
    rows = next((_span(found[name]) for name in _ROWS if name in found), 1)
    if "morerows" in found:
        rows = _span(found["morerows"]) + 1
    if "nameend" in found and (group := next(element.iterancestors("{*}tgroup"), None)) is not None:
        names = [one.get("colname") for one in group.iterchildren("{*}colspec")]
        ends = [names.index(found[one]) for one in _CALS if found.get(one) in names]
        columns = ends[-1] - ends[0] + 1 if ends else 1
    return Cell(text, max(columns, 1), rows or _TO_THE_END, is_heading)


def _span(value: str) -> int:
    digits = value.strip()
    return int(digits) if digits.isdecimal() and len(digits) <= _MOST_DIGITS else 1


def grid(rows: Iterable[Sequence[Cell]]) -> list[list[str]]:
    """Return the texts of a table, each value in the column of its heading.

    A merged cell is repeated in the rows and columns that it covers, but is written once where it
    covers a whole row. A heading over several columns is joined with the headings below it.
    """
    rows = [row for row in rows if row]
    width, spare = _width(rows), MOST_REPEATED
    table: list[list[str]] = []
    placed: list[list[Cell]] = []  # the cells with the columns that they get
    above: dict[int, tuple[int, str]] = {}  # column → rows that its cell still covers, and its text
    for row in rows:
        line = {column: text for column, (_, text) in above.items()}
        spare -= sum(len(text) + 1 for text in line.values())
        begun: dict[int, tuple[int, str]] = {}
        column = 0
        placed.append([])
        for later, cell in zip(range(len(row) - 1, -1, -1), row, strict=True):
            while column in line:
                column += 1
            most = max(spare, 0) // (len(cell.text) + 1) + 1
            span = max(1, min(cell.columns, width - column - later, most))
            end = column + 1 if span == width else column + span
            placed[-1].append(cell._replace(columns=end - column))
            text = cell.text
            if not cell.rows and table and column < len(table[-1]):
                text = text or table[-1][column]
            spare -= (end - column - bool(cell.rows)) * (len(text) + 1)
            for at in range(column, end):
                line.setdefault(at, text)
                if cell.rows > 1:
                    begun[at] = (cell.rows, text)
            column = end
        above = {
            at: (left - 1, text)
            for at, (left, text) in (*above.items(), *begun.items())
            if left > 1 and spare > 0
        }
        table.append([line.get(at, "") for at in range(max(line) + 1)])
    return _with_one_head(table, placed)


def _width(rows: Sequence[Sequence[Cell]]) -> int:
    """Return the most cells that are beside each other; spans over columns count as one."""
    ends: Counter[int] = Counter()
    widest = covered = 0
    for at, row in enumerate(rows):
        covered -= ends[at]
        widest = max(widest, covered + len(row))
        for cell in row:
            if cell.rows > 1:
                ends[at + cell.rows] += 1
                covered += 1
    return widest


def _with_one_head(table: list[list[str]], rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Return a table whose headings are one row: each of several columns before those below it."""
    first = next((at for at, row in enumerate(rows) if len(row) > 1), len(rows))
    last = first
    while last + 1 < min(len(rows), first + MOST_HEADS) and _parts(rows[last], rows[last + 1]):
        last += 1
    if last == first:
        return table
    head = table[first : last + 1]
    columns = ((row[at] for row in head if at < len(row)) for at in range(max(map(len, head))))
    joined = [" – ".join(dict.fromkeys(filter(None, map(str.strip, texts)))) for texts in columns]
    return [*table[:first], joined, *table[last + 1 :]]


def _parts(row: Sequence[Cell], below: Sequence[Cell]) -> bool:
    """Return whether a row of headings has some over several columns, with headings below them."""
    if not any(cell.columns > 1 for cell in row):
        return False
    marked = all(cell.is_heading for cell in (*row, *below))
    return marked or all(c.columns > 1 or c.rows > 1 or not c.text.strip() for c in row)


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Return a table as one fenced text; rows without any text are left out; "" if all are."""
    lines = [CELL_MARK.join(" ".join(cell.split()) for cell in row).rstrip() for row in rows]
    filled = [line for line in lines if line.replace(CELL_MARK, "").strip()]
    return "\n".join([START, *filled, END]) if filled else ""
