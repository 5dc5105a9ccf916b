"""Tables of EUR-Lex pages: lists in disguise, lines of symbols, and tables of data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.acts.eu_numbers import is_label
from indexer.readers.dom import visible_text
from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST_CELLS = 3
"""Cells of a row that is one line, such as `NLO`, `=` and what it stands for."""


def rows_of(table: _Element) -> list[list[_Element]]:
    """Return the cells of a table row by row, without those of tables inside it."""
    rows: list[_Element] = []
    for child in table:
        name = local_name(child)
        if name == "tr":
            rows.append(child)
        elif name in {"tbody", "thead", "tfoot"}:
            rows += [row for row in child if local_name(row) == "tr"]
    cells = ([cell for cell in row if local_name(cell) in {"td", "th"}] for row in rows)
    return [row for row in cells if row]


def is_list(rows: list[list[_Element]]) -> bool:
    """Tell whether each row is the label of an item and its text."""
    return bool(rows) and all(len(row) == 2 and is_label(visible_text(row[0])) for row in rows)


def is_line(texts: list[list[str]]) -> bool:
    """Tell whether a table only sets one line of text."""
    if len(texts) != 1 or len(texts[0]) > MOST_CELLS:
        return False
    return len(texts[0]) == 1 or "=" in texts[0]
