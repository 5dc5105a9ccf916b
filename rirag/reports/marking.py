"""Where words are in a text, so that a page only has to mark them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from search.text.spans import Span, merged

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.)\s*")


def locate(quote: str, text: str) -> list[Span]:
    """Return where a quotation is in a text: each piece between ellipses, in order.

    White space may differ. None is returned where any piece cannot be found: marking the wrong
    words is worse than marking none.
    """
    found: list[Span] = []
    start = 0
    for piece in filter(None, (piece.split() for piece in _ELLIPSIS.split(quote))):
        match = re.compile(r"\s+".join(map(re.escape, piece))).search(text, start)
        if match is None:
            return []
        found.append(match.span())
        start = match.end()
    return found


def marked_pieces(
    text: str, spans: Sequence[Span], start: int = 0, end: int | None = None
) -> Iterator[tuple[str, bool]]:
    """Yield a stretch of a text in pieces, each with whether it is marked."""
    end = len(text) if end is None else end
    for first, last in merged(spans):
        if start < last and first < end:
            yield text[start : max(first, start)], False
            yield text[max(first, start) : min(last, end)], True
            start = min(last, end)
    yield text[start:end], False
