"""Tables of EUR-Lex pages: lists in disguise, lines of symbols, and tables of data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.acts.eu_numbers import is_label
from indexer.readers.dom import visible_text

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST_CELLS = 3
"""Cells of a row that is one line, such as `NLO`, `=` and what it stands for."""


def is_list(rows: list[list[_Element]]) -> bool:
    """Return whether each row is the label of an item and its text."""
    return bool(rows) and all(len(row) == 2 and is_label(visible_text(row[0])) for row in rows)


def is_line(texts: list[list[str]]) -> bool:
    """Return whether a table only sets one line of text."""
    if len(texts) != 1 or len(texts[0]) > MOST_CELLS:
        return False
    return len(texts[0]) == 1 or "=" in texts[0]
