"""Takes statements out of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generation.text.citation_styles import MARKER
from generation.verification import StatementCheck

_EMPTY = re.compile(
    rf"(?>[ \t]*)(?:(?:[-*•]|\d{{1,3}}[.)])(?>[ \t]*))?(?>(?:{MARKER.pattern}[ \t]*)*)[.]?[ \t]*"
)


def without(text: str, statements: Sequence[StatementCheck]) -> str:
    """Return an answer without some of its statements.

    Args:
        text: the answer that was checked, its citations unified.
        statements: with their places in it. Bullets that are left with nothing go too, and so do
            introductions and headings that introduce nothing any more.
    """
    kept, place = [], 0
    for one in sorted(statements, key=lambda one: one.start):
        kept.append(text[place : one.start])
        place = max(place, one.end)
    lines = [line.rstrip() for line in "".join([*kept, text[place:]]).split("\n")]
    left = [line for line in lines if not line or not _EMPTY.fullmatch(line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(with_content(left))).strip()


def with_content(lines: Sequence[str]) -> list[str]:
    """Return the lines without the last introductions and headings that nothing follows."""
    kept: list[str] = []
    following = ""
    for line in reversed(lines):
        opens = line.rstrip(" *_").endswith(":") or line.lstrip().startswith("#")
        if opens and (not following or following.lstrip().startswith("#")):
            continue
        kept.append(line)
        following = line if line.strip() else following
    return kept[::-1]
