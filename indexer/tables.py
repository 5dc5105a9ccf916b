r"""A table as text: its rows as lines between `\Table Start` and `\Table End`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

START, END = "\\Table Start", "\\Table End"
CELL_MARK = "\t"
"""What is between two cells of a row."""


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Return a table as one fenced text; rows without any text are left out; "" if all are."""
    lines = [CELL_MARK.join(" ".join(cell.split()) for cell in row).strip() for row in rows]
    filled = [line for line in lines if line.replace(CELL_MARK, "").strip()]
    return "\n".join([START, *filled, END]) if filled else ""
