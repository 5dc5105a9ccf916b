"""Headings that a line of one sign underlines, as Markdown and reStructuredText have them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from indexer.numbering.line_labels import markdown_heading, parse_line

_UNDERLINE = re.compile(r"([=*~^\"+#-])\1{2,}")
_OF_ANY_LENGTH = "=-"
"""Other signs have other uses, and underline a title only if they are as long."""


def with_marked_headings(lines: Sequence[str], fenced: Collection[int]) -> list[str]:
    """Return lines in which such a heading begins with `#`, and what underlines it is empty.

    Nothing is right above the heading. What is right below the underline has a number, or
    the heading has one and is as long as the underline: else it is the head of a table.

    Args:
        lines: of a text.
        fenced: 0-based places of lines inside a fence.
    """
    found = list(lines)
    for at, line in enumerate(lines):
        under, title = line.strip(), lines[at - 1].strip() if at else ""
        if at in fenced or not _UNDERLINE.fullmatch(under) or not _may_be_heading(lines, at - 1):
            continue
        as_long = abs(len(under) - len(title)) <= 1
        ends = _ends_block(lines, at) or (as_long and parse_line(title) is not None)
        if ends and (as_long or under[0] in _OF_ANY_LENGTH):
            found[at - 1] = f"{'#' if under[0] == '=' else '##'} {title}"
            found[at] = ""
    return found


def _may_be_heading(lines: Sequence[str], at: int) -> bool:
    """Return whether a line is one without marks, with nothing right above."""
    if at < 0 or not lines[at].strip() or markdown_heading(lines[at].strip()) is not None:
        return False
    return at == 0 or not lines[at - 1].strip()


def _ends_block(lines: Sequence[str], at: int) -> bool:
    """Return whether nothing is right below a line, or something that begins with a number."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return not below.strip() or parse_line(below) is not None
