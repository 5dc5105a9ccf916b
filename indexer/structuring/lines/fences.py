"""Tables and figures in texts: the lines between `\\Table Start` and `\\Table End`."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FENCE = re.compile(r"[\\/](Table|Figure) (Start|End)")


def fenced_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the 0-based lines inside fences; a fence that never ends encloses nothing."""
    inside: set[int] = set()
    start: int | None = None
    for index, line in enumerate(lines):
        for fence in _FENCE.finditer(line):
            if fence.group(2) == "Start":
                start = index
            elif start is not None:
                inside.update(range(start + 1, index + 1))
                start = None
    return frozenset(inside)
