"""Footnotes: small print at the foot of a page, each opened by the mark that the text has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from indexer.readers.pdf.lines import Line

SMALLER = 0.93
"""Part of the text's font size that footnotes have at most."""

LOWER = 0.4
"""Part of the page's height below which footnotes begin."""

_OPENING = re.compile(r"\(?(\d{1,3}|[*†‡§]{1,3})\)?(?=[\s.)]|$)")


@dataclass(frozen=True, slots=True)
class Footnote:
    """One footnote of a page."""

    mark: str
    """`1`, `*`."""
    lines: tuple[Line, ...]


def split_footnotes(
    lines: Sequence[Line], usual: float, height: float
) -> tuple[list[Line], list[Footnote]]:
    """Return the lines of a page without its footnotes, and the footnotes.

    Args:
        lines: of one page, in reading order, without its foot.
        usual: font size of the text.
        height: of the page, in points.
    """
    small = {
        index
        for index, line in enumerate(lines)
        if line.size <= SMALLER * usual and line.baseline > LOWER * height
    }
    lowest = max((lines[i].baseline for i in range(len(lines)) if i not in small), default=0.0)
    below = [i for i in sorted(small) if lines[i].baseline > lowest]
    first = next((at for at, i in enumerate(below) if _mark(lines[i])), None)
    if first is None:
        return list(lines), []
    notes: list[tuple[str, list[Line]]] = []
    for index in below[first:]:
        mark = _mark(lines[index])
        if mark or not notes:
            notes.append((mark, [lines[index]]))
        else:
            notes[-1][1].append(lines[index])
    taken = set(below[first:])
    kept = [line for index, line in enumerate(lines) if index not in taken]
    return kept, [Footnote(mark, tuple(some)) for mark, some in notes]


def _mark(line: Line) -> str:
    """Return the mark that a line of small print begins with, or ""."""
    if line.marks and line.marks[0][0] == 0:
        return line.marks[0][1].strip("()")
    found = _OPENING.match(line.text)
    return found[1] if found else ""
