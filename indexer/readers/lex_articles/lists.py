"""Lists that a `lex-articles` record sets as a table, an item with its label in each row.

The row of an item that has a list of its own holds that list as well, run on in its text, and then
come the rows of the list: `(h)` with `one of:(i)red;(ii)blue.`, `(i)` with `red;`, `(ii)` with
`blue.`. The list is read from its own rows, so that the text of `(h)` has to end where it begins:
only the colon there tells that `(i)` is below `(h)` and is not the letter that follows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

POINT = re.compile(r"(\(-?(?:\d{1,4}[a-z]{0,2}|[ivxlc]{1,7}|[a-z]{1,3})\)|—)\s+", re.IGNORECASE)
"""What an item of a list begins with."""


@dataclass(frozen=True, slots=True)
class Row:
    """One item of a list."""

    label: str
    text: str
    again: str = ""
    """The end of its text that the rows of its own list say once more."""

    @property
    def run_on(self) -> str:
        """The item as the text of the one above it holds it."""
        return self.label + self.text


def list_rows(table: Sequence[Sequence[str]]) -> list[Row]:
    """Return the items of a table, or none where it is not a list.

    Args:
        table: its rows, each with the texts of its cells.
    """
    cells = [[" ".join(cell.split()) for cell in row] for row in table]
    if not all(len(row) == 2 and POINT.fullmatch(f"{row[0]} ") for row in cells):
        return []
    rows = [Row(label, text) for label, text in cells]
    return [_parted(row, rows[place + 1 :]) for place, row in enumerate(rows)]


def _parted(row: Row, later: Sequence[Row]) -> Row:
    """Return an item without its list, if the rows that follow say every word of it."""
    start = row.text.find(later[0].run_on) if later and later[0].text else -1
    end = start
    for other in later if start >= 0 else ():
        if row.text.startswith(other.run_on, end):
            end += len(other.run_on)
    if start < 0 or end < len(row.text):
        return row
    return replace(row, text=row.text[:start], again=row.text[start:])
