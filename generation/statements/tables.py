r"""Tables in passages: lines between `\Table Start` and `\Table End`, or those of Markdown.

A row is a piece of the statement that leads into its table. Its words are the passage's, white
space folded; what is shown has bars between the cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from generation.text.markup import MARK, MARKDOWN_RULE, is_mark

LONGEST_NAME = 6
"""Words of the name of a column."""

LONGEST_VALUE, MOST_FIELDS = 25, 25
"""Words of a value, and lines of a record; longer ones are prose below short headings."""

_MARKDOWN_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*")
_NUMBERED = re.compile(r"[^\W\d]+ \d{1,2}")
"""A column such as `Tier 1`."""


@dataclass(frozen=True, slots=True)
class Piece:
    """An undividable stretch: a sentence, an introduction, a list item, a closing clause, a row."""

    text: str
    role: Literal["lead", "item", "tail", "row"]
    parent: int | None = None
    """Index of the piece that introduces it, within its statement; the head of a table introduces
    its rows."""
    depth: int = 0
    """How many lists it is in."""
    cells: str = ""
    """Of a row: as it is shown, with bars between its cells; of a record, with a line for each."""

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(self.text.split())


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    text: str
    """As the passage has it, with the rule that Markdown draws below a head."""
    cells: str
    """As it is shown: `| Category 1 | 25,000 dollars |`."""

    @property
    def is_head(self) -> bool:
        """Whether it could name the columns: a few words in each cell, and no figure but that of
        `Tier 1` behind the first.
        """
        first, *others = (cell.strip() for cell in self.cells.strip("| ").split("|"))
        short = all(len(cell.split()) <= LONGEST_NAME for cell in (first, *others))
        named = "".join(cell for cell in others if not _NUMBERED.fullmatch(cell))
        return short and not any(map(str.isdigit, first + named))


def record_of(lines: Sequence[str]) -> Piece | None:
    """Return a text whose lines all name a value, as a row of a sheet does; None: it is prose.

    A value alone, such as a date, says nothing without those beside it.
    """
    filled = [" ".join(line.split()) for line in lines if line.strip()]
    if not 2 <= len(filled) <= MOST_FIELDS or not all(map(_is_field, filled)):
        return None
    return Piece(" ".join(filled), "lead", cells="\n".join(filled))


def _is_field(line: str) -> bool:
    name, colon, value = line.partition(": ")
    short = len(name.split()) <= LONGEST_NAME and len(value.split()) <= LONGEST_VALUE
    return bool(colon) and short and any(map(str.isalpha, name)) and "." not in name[:-1]


def rows_of(lines: Sequence[str]) -> Mapping[int, Row | None]:
    """Return place → row of every line in a table; None for a line that is part of a row above.

    A table that is opened and never closed has no rows.
    """
    return {**dict(_fenced(lines)), **dict(_markdown(lines))}


def _fenced(lines: Sequence[str]) -> Iterator[tuple[int, Row]]:
    start: int | None = None
    for place, line in enumerate(lines):
        mark = MARK.match(line)
        if mark is None or mark[1].lower() != "table":
            continue
        if mark[2].lower() == "start":
            start = place
        elif start is not None:
            inside = range(start + 1, place)
            yield from ((at, _row(lines[at])) for at in inside if _is_row(lines[at]))
            start = None


def _is_row(line: str) -> bool:
    return bool(line.strip()) and not is_mark(line)


def _row(line: str) -> Row:
    cells = " | ".join(" ".join(cell.split()) for cell in line.split("\t"))
    return Row(line, f"| {cells} |")


def _markdown(lines: Sequence[str]) -> Iterator[tuple[int, Row | None]]:
    """Yield the rows of tables in Markdown: a head, the rule below it, and what follows."""
    inside = False
    for place, line in enumerate(lines):
        rule = lines[place + 1] if place + 1 < len(lines) else ""
        if not _MARKDOWN_ROW.fullmatch(line):
            inside = False
        elif inside:
            drawn = MARKDOWN_RULE.fullmatch(line)
            yield place, None if drawn else Row(line, line.strip())
        elif MARKDOWN_RULE.fullmatch(rule):
            inside = True
            yield place, Row(f"{line} {rule}", line.strip())
