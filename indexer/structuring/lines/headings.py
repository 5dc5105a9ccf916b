"""Headings that a line of `=` or `-` underlines."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from indexer.structuring.labels.labels import line_label
from indexer.structuring.labels.line_labels import markdown_heading

_UNDERLINE = re.compile(r"={3,}|-{3,}")


def with_headings(lines: Sequence[str], fenced: Collection[int]) -> list[str]:
    """Return lines in which such a heading begins with `#`, and what underlines it is empty.

    Nothing is right above the heading. What is right below the underline has a number, or
    the heading has one and is as long as the underline: else it is the head of a table.

    Args:
        lines: of a text.
        fenced: 0-based places of lines inside a fence.
    """
    found = list(lines)
    for at, line in enumerate(lines[1:], 1):
        under, title = line.strip(), lines[at - 1].strip()
        if at in fenced or not _UNDERLINE.fullmatch(under):
            continue
        if not title or markdown_heading(title) is not None or (at > 1 and lines[at - 2].strip()):
            continue
        below = lines[at + 1] if at + 1 < len(lines) else ""
        as_long = abs(len(under) - len(title)) <= 1
        if not below.strip() or line_label(below) or (as_long and line_label(title)):
            found[at - 1] = f"{'#' if under[0] == '=' else '##'} {title}"
            found[at] = ""
    return found
