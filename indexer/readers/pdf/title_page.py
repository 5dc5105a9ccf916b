"""A first page that is a title page: large or centred lines, and no number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from indexer.readers.pdf.lines import Line
from indexer.structuring.labels import parse_label
from indexer.titles import is_title

MOST_LINES = 40
"""Lines of a title page at most."""

SET_OFF = 0.5
"""Share of its lines that are at least of another size than the text, bold or centred."""


def is_title_page(lines: Sequence[Line], usual: float) -> bool:
    """Return whether the lines of a first page, which others follow, are those of a title page."""
    if not 0 < len(lines) <= MOST_LINES or any(parse_label(one.text, True) for one in lines):
        return False
    off = sum(one.size != usual or one.bold or one.is_centred for one in lines)
    return off > SET_OFF * len(lines)


def title_lines(lines: Sequence[Line], heads: Iterable[str]) -> list[Line]:
    """Return the title on a title page: what later pages repeat at their head, else the largest."""
    lines = [one for one in lines if is_title(one.text)] or lines
    running = " ".join(_folded(head) for head in heads)
    repeated = [one for one in lines if len(one.text.split()) > 1 and _folded(one.text) in running]
    if repeated:
        return [max(repeated, key=lambda one: len(one.text))]
    largest = max(one.size for one in lines)
    return [one for one in lines if one.size == largest]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
