"""Headings that a line of `=` or `-` underlines, as Markdown allows."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from indexer.numbered import markdown_heading

_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,})\s*")


def with_marked_headings(lines: Sequence[str], fenced: Collection[int]) -> list[str]:
    """Return lines in which such a heading begins with `#`, and what underlines it is empty.

    Nothing stands right above the heading or right below the underline.

    Args:
        lines: of a text.
        fenced: 0-based places of lines inside a fence.
    """
    found = list(lines)
    for at, line in enumerate(lines):
        if at not in fenced and _UNDERLINE.fullmatch(line) and _stands_alone(lines, at - 1):
            found[at - 1] = f"{'#' if '=' in line else '##'} {lines[at - 1].strip()}"
            found[at] = ""
    return found


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line is a heading without marks, and the one below it the end of a block."""
    if at < 0 or not lines[at].strip() or markdown_heading(lines[at].strip()) is not None:
        return False
    around = (*lines[max(at - 1, 0) : at], *lines[at + 2 : at + 3])
    return not any(line.strip() for line in around)
