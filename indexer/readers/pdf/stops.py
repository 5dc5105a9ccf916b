"""Where labels and texts begin, on all pages of a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest

from indexer.readers.pdf.layout import Sheet
from indexer.readers.pdf.lines import Line
from indexer.structuring.labels.labels import automatic_label, parse_label

STOP = 1.0
"""Points by which texts that begin at the same stop differ at most."""

OFTEN = 3
"""Labels that have their text at a place from which it is a stop."""

LEVEL = 3.0
"""Points from which labels of two lists begin at different places."""

_GLUED = re.compile(
    r"((?:[A-Z]{0,3}\d{1,3}(?:\.\d{1,3})*)(?=[A-Z][A-Za-z]{2})|[A-Z]\.(?=[A-Z][a-z]{2})"
    r"|(?:\(?\d{1,3}\)|\(?[a-z]{1,4}\)|\d{1,3}\.)(?=[A-Z“‘\"]))"
)
"""A label so long that nothing parts it from its text (`APP10REPORTING`, `36)Each`, `D.Each`)."""

Stop = tuple[str, int, int]
"""Shape of a label, and where it and its text begin."""


def with_tabs(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return pages on which labels too long for a gap behind them have their tab again.

    `A3.10.11 Text` is a label if it and its text begin where other such labels and their texts do,
    or if the next line begins where its text does.
    """
    hung = [
        replace(
            sheet,
            lines=tuple(
                _hung(line, following)
                for line, following in zip_longest(sheet.lines, sheet.lines[1:])
            ),
        )
        for sheet in sheets
    ]
    counts = Counter(
        stop
        for sheet in hung
        for line in sheet.lines
        if line.text_left != line.left
        and (stop := _stop(line.text.partition("\t")[0], line.left, line.text_left))
    )
    stops = {stop for stop, count in counts.items() if count >= OFTEN}
    return [
        replace(sheet, lines=tuple(_with_tab(line, stops) for line in sheet.lines))
        for sheet in hung
    ]


def _hung(line: Line, following: Line | None) -> Line:
    """Return a line with a tab after its label if the next one begins where its text does.

    A bare number above another label is the end of a sentence (`Act No.` `99 of 2025.`).
    """
    inner = following.left if following and following.left > line.left + LEVEL else line.left
    if (glued := _GLUED.match(line.text)) and automatic_label(glued[1]):
        return replace(line, text=f"{glued[1]}\t{line.text[glued.end(1) :]}", text_left=inner)
    if inner > line.left and abs(line.second - inner) <= STOP and _may_want_tab(line):
        bare = line.text.partition(" ")[0].isdigit()
        return line if bare and following and parse_label(following.text) else line.with_tab()
    return line


def _with_tab(line: Line, stops: set[Stop]) -> Line:
    if not _may_want_tab(line):
        return line
    stop = _stop(line.text.partition(" ")[0], line.left, line.second)
    if stop is None or not any(_is_same(stop, other) for other in stops):
        return line
    return line.with_tab()


def _may_want_tab(line: Line) -> bool:
    """Return whether a line begins with a label that a space parts from its text."""
    head, space, _ = line.text.partition(" ")
    return bool(space) and line.text_left == line.left and automatic_label(head) is not None


def _stop(head: str, left: float, text_left: float) -> Stop | None:
    """Return the shape of a label and where it and its text begin; None for no label."""
    label = automatic_label(head)
    return (label.shape, round(left / STOP), round(text_left / STOP)) if label else None


def _is_same(one: Stop, other: Stop) -> bool:
    return one[0] == other[0] and abs(one[1] - other[1]) <= 1 and abs(one[2] - other[2]) <= 1


def lists(lines: Iterable[Line]) -> dict[float, int]:
    """Return which place from the left each line begins at; places apart by little are one."""
    found: dict[float, int] = {}
    place, last = 0, float("-inf")
    for left in sorted({line.left for line in lines}):
        place += left - last > LEVEL
        found[left] = place
        last = left
    return found
