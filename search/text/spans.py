"""Where words with some index terms are in a text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from search.text.analyzer import STEMMED, stems, tokens
from search.text.plain_words import WORD

Span = tuple[int, int]
"""Start and end of a stretch of text, in characters."""


def locate_words(terms: Collection[str], text: str, language: str = "") -> list[Span]:
    """Return where words with these index terms are in a text.

    Args:
        terms: of a question, with those of other languages than English.
        text: of a passage.
        language: code of its language, whose stems count as well, and whose stop words do not.
    """
    wanted = frozenset(terms)
    words = set(WORD.findall(text))
    marked = {word for word in words if not wanted.isdisjoint(_terms_of(word, language))}
    return [match.span() for match in WORD.finditer(text) if match[0] in marked] if marked else []


def locate_phrase(terms: Sequence[str], text: str) -> list[Span]:
    """Return where words with these index terms follow each other in a text."""
    words = [(term, match.span()) for match in WORD.finditer(text) for term in _terms_of(match[0])]
    size, found = len(terms), list[Span]()
    for at in range(len(words) - size + 1):
        run = words[at : at + size]
        if all(one[0] == term for one, term in zip(run, terms, strict=True)):
            found.append((run[0][1][0], run[-1][1][1]))
    return merged(found)


def without(text: str, spans: Iterable[Span]) -> str:
    """Return a text with a blank for each stretch."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def merged(spans: Sequence[Span]) -> list[Span]:
    """Return spans in order, those that touch or overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


@lru_cache(maxsize=50_000)
def _terms_of(word: str, language: str = "") -> tuple[str, ...]:
    """Return the index terms of a word, which is likely to come again."""
    if language not in STEMMED:
        return tuple(tokens(word))
    own = stems(word, language)
    return (*own, *tokens(word)) if own else ()  # nobody looks for a stop word
