"""Where words are in a text, so that a page only has to mark them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

Span = tuple[int, int]
"""Start and end of a stretch of text, in characters."""

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


def locate_words(terms: Collection[str], text: str) -> list[Span]:
    """Return where words with these index terms are in a text."""
    from search.text.plain_words import WORD

    wanted = frozenset(terms)
    marked = {word for word in set(WORD.findall(text)) if not wanted.isdisjoint(_terms_of(word))}
    return [match.span() for match in WORD.finditer(text) if match[0] in marked] if marked else []


def locate_phrase(terms: Sequence[str], text: str) -> list[Span]:
    """Return where words with these index terms follow each other in a text."""
    from search.text.plain_words import WORD

    words = [(term, match.span()) for match in WORD.finditer(text) for term in _terms_of(match[0])]
    size, found = len(terms), list[Span]()
    for at in range(len(words) - size + 1):
        run = words[at : at + size]
        if all(one[0] == term for one, term in zip(run, terms, strict=True)):
            found.append((run[0][1][0], run[-1][1][1]))
    return merged(found)


@lru_cache(maxsize=50_000)
def _terms_of(word: str) -> tuple[str, ...]:
    """Return the index terms of a word, which is likely to come again."""
    from search.text.analyzer import tokens

    return tuple(tokens(word))


def merged(spans: Sequence[Span]) -> list[Span]:
    """Return spans in order, those that touch or overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
