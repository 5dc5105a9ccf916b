"""Tables, recognised by the lines that are drawn around their cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from indexer.readers.pdf.drawn.pages import Box, Word
from indexer.readers.pdf.hyphens import Vocabulary
from indexer.readers.pdf.lines import lines_of
from indexer.readers.pdf.paragraphs import paragraphs, text_of, usual_leading

TOUCH = 4.0
"""Points by which drawn lines that meet may miss each other."""

SAME = 2.0
"""Points by which two drawn lines of one row or column differ at most."""

MOST_RULES = 5_000
"""Drawn lines of a page: one with more is a drawing, and no table is looked for."""

MOST_LINES = 600
"""The same, once the pieces of one line are put together."""

LEAST_CELL = 6.0
"""Points that a cell is wide and high at least; between closer lines there is no text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with words in it."""

    top: float
    left: float
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table on one page."""

    box: Box
    rows: tuple[tuple[Cell, ...], ...]
    """From above; empty cells are left out."""


def find_tables(words: Sequence[Word], rules: Sequence[Box]) -> tuple[list[Table], list[Word]]:
    """Return the tables of a page, and the words that are in none.

    A frame around text is not a table: it takes at least two cells.
    """
    if len(rules) < 4 or len(rules) > MOST_RULES:
        return [], list(words)
    merged = _merged(rules)
    if len(merged) > MOST_LINES:
        return [], list(words)
    tables, free = [], list(words)
    for group in _connected(merged):
        box = _around(group)
        inside = [word for word in free if _holds(box, word)]
        table = _table(box, group, inside) if inside and _is_grid(group) else None
        if table:
            tables.append(table)
            taken = {id(word) for word in inside}
            free = [word for word in free if id(word) not in taken]
    return tables, free


def table_text(table: Table, page: int, vocabulary: Vocabulary) -> str:
    """Return the rows of a table as lines, with tabs between the cells."""
    return "\n".join(
        "\t".join(_cell_text(cell, page, vocabulary) for cell in row) for row in table.rows
    )


def goes_on(before: Table, table: Table) -> bool:
    """Return whether a table continues the one right before it, a page earlier."""
    same = abs(before.box.left - table.box.left) + abs(before.box.right - table.box.right)
    return same <= 2 * TOUCH


def _cell_text(cell: Cell, page: int, vocabulary: Vocabulary) -> str:
    lines = [line.with_marks() for line in lines_of(cell.words, page)]
    found = paragraphs(lines, usual_leading(lines))
    return "\n".join(text_of(paragraph, vocabulary) for paragraph in found)


def _table(box: Box, group: Sequence[Box], words: Iterable[Word]) -> Table | None:
    lying = [rule for rule in group if rule.lies]
    standing = [rule for rule in group if not rule.lies]
    cells: dict[tuple[float, float], list[Word]] = {}
    for word in words:
        cells.setdefault(_cell_of(word, box, lying, standing), []).append(word)
    if len(cells) < 2:
        return None
    rows: list[list[Cell]] = []
    for (top, left), found in sorted(cells.items()):
        cell = Cell(top, left, tuple(found))
        if rows and top - rows[-1][0].top <= TOUCH:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return Table(box, tuple(tuple(sorted(row, key=lambda cell: cell.left)) for row in rows))


def _cell_of(
    word: Word, box: Box, lying: Sequence[Box], standing: Sequence[Box]
) -> tuple[float, float]:
    """Return the upper and the left edge of the cell that a word is in."""
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    above = [
        rule.top for rule in lying if rule.top <= y and rule.left - SAME <= x <= rule.right + SAME
    ]
    before = [
        rule.left
        for rule in standing
        if rule.left <= x and rule.top - SAME <= y <= rule.bottom + SAME
    ]
    return max(above, default=box.top), max(before, default=box.left)


def _merged(rules: Sequence[Box]) -> list[Box]:
    """Return drawn lines with the pieces of one line put together."""
    found: list[Box] = []
    for lies in (True, False):
        some = [rule for rule in rules if rule.lies == lies]
        some.sort(key=attrgetter("top", "left") if lies else attrgetter("left", "top"))
        last: Box | None = None
        for rule in some:
            if last is not None and _goes_on(last, rule, lies):
                last = found[-1] = _around((last, rule))
            else:
                found.append(rule)
                last = rule
    return found


def _goes_on(one: Box, other: Box, lies: bool) -> bool:
    apart = abs(other.top - one.top) if lies else abs(other.left - one.left)
    return apart <= SAME and _touches(one, other)


def _connected(rules: Sequence[Box]) -> list[list[Box]]:
    group = list(range(len(rules)))

    def root(at: int) -> int:
        while group[at] != at:
            group[at] = group[group[at]]
            at = group[at]
        return at

    for at, one in enumerate(rules):
        for other in range(at):
            if one.lies != rules[other].lies and _touches(one, rules[other]):
                group[root(at)] = root(other)
    found: dict[int, list[Box]] = {}
    for at, rule in enumerate(rules):
        found.setdefault(root(at), []).append(rule)
    return sorted(found.values(), key=lambda rules: min(rule.top for rule in rules))


def _touches(one: Box, other: Box) -> bool:
    return (
        one.left - TOUCH <= other.right and other.left - TOUCH <= one.right
        and one.top - TOUCH <= other.bottom and other.top - TOUCH <= one.bottom
    )  # fmt: skip


def _is_grid(group: Sequence[Box]) -> bool:
    rows = _places(rule.top for rule in group if rule.lies)
    columns = _places(rule.left for rule in group if not rule.lies)
    return rows >= 2 and columns >= 1 and rows + columns >= 5


def _places(values: Iterable[float]) -> int:
    count, last = 0, float("-inf")
    for value in sorted(values):
        if value - last >= LEAST_CELL:
            count, last = count + 1, value
    return count


def _holds(box: Box, word: Word) -> bool:
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    return box.left - SAME <= x <= box.right + SAME and box.top - SAME <= y <= box.bottom + SAME


def _around(boxes: Iterable[Box]) -> Box:
    some = list(boxes)
    return Box(
        min(box.left for box in some), min(box.top for box in some),
        max(box.right for box in some), max(box.bottom for box in some),
    )  # fmt: skip
