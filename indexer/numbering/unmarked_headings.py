"""Headings that only their place tells, of a text without numbers: short lines above paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from indexer.numbering.line_labels import heading, markdown_heading

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
