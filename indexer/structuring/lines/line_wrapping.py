"""Texts whose lines were broken at a border, as editors and mail break them.

A line continues in the next one where the first word of that had no room, but not in a text whose
paragraphs are in a line each.
"""

from __future__ import annotations

from collections.abc import Sequence

_USUAL, _RAGGED, _FULL = 0.9, 12, 0.2
"""In a text whose lines were broken nine in ten keep to a border (rows of tables need not), and one
in five ends at most so many characters before it."""
_NARROWEST = 50
"""Characters: lines of fewer are short for other reasons."""


def wrapped_at(lines: Sequence[str]) -> int | None:
    """Return the width at which the lines of a text were broken, or None where paragraphs are."""
    lengths = sorted(_width(line) for line in lines if line.strip())
    width = lengths[int(len(lengths) * _USUAL)] if lengths else 0
    if width < _NARROWEST:
        return None
    full = sum(width - _RAGGED <= length <= width for length in lengths)
    return width if full >= _FULL * len(lengths) else None


def has_no_room(above: str, line: str, width: int) -> bool:
    """Return whether the first word of a line had no room at the end of the line above it."""
    first = line.strip().expandtabs(1).partition(" ")[0]  # no line is broken at a hard space
    return _width(above) + 1 + len(first) > width


def _width(line: str) -> int:
    return len(line.expandtabs().rstrip())
