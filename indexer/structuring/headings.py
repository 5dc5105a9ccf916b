"""Headings without a number: those that a line of one sign underlines, and those that only their
place tells, in a text without numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from indexer.structuring.labels import line_label
from indexer.structuring.line_labels import heading, markdown_heading

_UNDERLINE = re.compile(r"([=*~^\"+#-])\1{2,}")
_OF_ANY_LENGTH = "=-"
"""Other signs have other uses, and underline a title only if they are as long."""


def with_headings(lines: Sequence[str], fenced: Collection[int]) -> list[str]:
    """Return lines in which headings begin with `#`, underlined or told by their place alone.

    Args:
        lines: of a text.
        fenced: 0-based places of lines inside a fence.
    """
    marked = with_marked_headings(lines, fenced)
    free = [line for at, line in enumerate(marked) if at not in fenced]
    numbered = any(map(markdown_heading, free)) or any(map(line_label, free))
    return marked if numbered else with_unmarked_headings(marked) or marked


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
        ends = _ends_block(lines, at) or (as_long and line_label(title) is not None)
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
    return not below.strip() or line_label(below) is not None


FEWEST = 3
"""Headings that a text has at least: one or two short lines are anything."""
_MOST_WORDS = 8
_FEWEST_BELOW = 8
"""Words that the paragraph below a heading begins with at least."""
_PARAGRAPH = 500
"""Characters in which its first words are."""


def with_unmarked_headings(lines: Sequence[str]) -> list[str] | None:
    """Return lines in which such headings begin with `##`, or None where there are too few.

    Nothing is right above a heading, no sign ends it, the first word of what follows had room
    beside it, and the paragraph after it begins with a sentence. The first line is the title.

    Args:
        lines: of a text without numbers and marks.
    """
    filled = [at for at, line in enumerate(lines) if line.strip()]
    if not filled or any(map(markdown_heading, lines)):
        return None
    width = max(len(lines[at]) for at in filled)
    found = list(lines)
    count = 0
    for at, below in pairwise(filled[1:]):
        if not lines[at - 1].strip() and _is_heading(lines[at], lines[below], width):
            found[at] = f"## {lines[at].strip()}"
            count += 1
    if count < FEWEST:
        return None
    title = lines[filled[0]].strip()
    if heading(title) and not lines[filled[0] + 1].strip():
        found[filled[0]] = f"# {title}"
    return found


def _is_heading(line: str, below: str, width: int) -> bool:
    title, first = line.strip(), below.split(None, 1)[0]
    words = title.split(None, _MOST_WORDS)
    return (
        len(words) <= _MOST_WORDS
        and title[0].isupper()
        and bool(heading(title))
        and first[0].isupper()
        and len(below[:_PARAGRAPH].split()) >= _FEWEST_BELOW
        and len(title) + 1 + len(first) < width
    )
