"""Headings that a line of one sign underlines, as Markdown and reStructuredText have them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from indexer.numbered import markdown_heading

_UNDERLINE = re.compile(r"([=*~^\"+#-])\1{2,}")
_OF_ANY_LENGTH = "=-"
"""Other signs have other uses, and underline a title only if they are as long."""


def with_marked_headings(lines: Sequence[str], fenced: Collection[int]) -> list[str]:
    """Return lines in which such a heading begins with `#`, and what underlines it is empty.

    Nothing stands right above the heading or right below the underline.

    Args:
        lines: of a text.
        fenced: 0-based places of lines inside a fence.
    """
    found = list(lines)
    for at, line in enumerate(lines):
        under, title = line.strip(), lines[at - 1].strip() if at else ""
        if at in fenced or not _UNDERLINE.fullmatch(under) or not _stands_alone(lines, at - 1):
            continue
        if under[0] in _OF_ANY_LENGTH or abs(len(under) - len(title)) <= 1:
            found[at - 1] = f"{'#' if under[0] == '=' else '##'} {title}"
            found[at] = ""
    return found


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line is a heading without marks, and the one below it the end of a block."""
    if at < 0 or not lines[at].strip() or markdown_heading(lines[at].strip()) is not None:
        return False
    around = (*lines[max(at - 1, 0) : at], *lines[at + 2 : at + 3])
    return not any(line.strip() for line in around)
