"""Write results as tables: lines for a terminal, or a page with bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rirag.reports.page import facts, figure, page, section
from rirag.reports.page import table as html_table
from rirag_workbench.reports.bars import grouped_bars

Cell = str | float | None
"""A text as it is, a share with four decimals, a count, or nothing."""

Row = Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Table:
    """Some figures of a result."""

    title: str
    head: Sequence[str]
    """Names of the columns after the first one, which names the rows."""
    rows: Sequence[Row]
    lead: str = ""
    """What the page says of it."""
    bars: Sequence[str] = ()
    """Columns with numbers that the page draws too."""

    def lines(self) -> list[str]:
        """Return lines to read."""
        rows = [(self.title, *self.head), *([shown(cell) for cell in row] for row in self.rows)]
        first, *others = ([len(cell) for cell in column] for column in zip(*rows, strict=True))
        widths = [max(column) for column in others]
        return [
            f"{name:{max(first)}}"
            + "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
            for name, *cells in rows
        ]

    def to_html(self) -> str:
        """Return a section of a page."""
        rows = [[shown(cell) for cell in row] for row in self.rows]
        table = html_table(self.title, ("", *self.head), rows)
        return section(self.title[:1].upper() + self.title[1:], self.lead, self._chart(), table)

    def _chart(self) -> str:
        columns = [self.head.index(name) + 1 for name in self.bars]
        bars = [
            (shown(row[0]), [float(row[column] or 0) for column in columns])
            for row in self.rows
            if columns and not any(isinstance(row[column], str) for column in columns)
        ]
        return figure(grouped_bars(self.title, bars, self.bars)) if bars else ""


def shown(cell: Cell) -> str:
    """Return a cell as text."""
    if cell is None or isinstance(cell, str):
        return "-" if cell is None else cell
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.4f}"


def counted(counts: Mapping[str, int]) -> list[str]:
    """Return a note on each sort of which there are some."""
    return [f"{count:,} {what}" for what, count in counts.items() if count]


def to_text(
    tables: Iterable[Table],
    before: Sequence[str] = (),
    after: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> str:
    """Return lines to read: sentences before and after the tables, and the notes."""
    last = [*after, *(f"note: {one}" for one in notes)]
    parts = [[*before], *(table.lines() for table in tables), last]
    return "\n\n".join("\n".join(lines) for lines in parts if lines)


def to_page(
    title: str,
    tables: Iterable[Table],
    about: Sequence[tuple[str, str]] = (),
    command: str = "",
    notes: Sequence[str] = (),
) -> str:
    """Return the text of an HTML file."""
    sections = [facts(about, command), *(table.to_html() for table in tables)]
    return page(title, title, sections, notes)
