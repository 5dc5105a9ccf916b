"""Find which of many phrases a text has, in the normal form and with the stems of its language."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from search.text.analyzer import STEMMED, stems, tokens
from search.text.plain_words import plain_text

T = TypeVar("T")

Terms = tuple[str, ...]


class Phrase(NamedTuple, Generic[T]):
    """What a text may have, and what that means."""

    text: str
    meaning: T
    in_order: bool = True
    """Whether its words must follow each other; otherwise the text must have all of them."""


class Phrases(Generic[T]):
    """Many phrases, each found by its rarest term, so that most are never looked at."""

    def __init__(self, phrases: Sequence[Phrase[T]] = (), languages: Collection[str] = ()) -> None:
        """Take phrases.

        Args:
            phrases: each with at least one index term.
            languages: codes of those beside English whose stems count as well.
        """
        self.phrases = phrases
        known = (partial(stems, language=one) for one in languages if one in STEMMED)
        self._analyses: Sequence[Callable[[str], list[str]]] = (tokens, *known) if phrases else ()
        self._having = [_by_rarest_term(phrases, one) for one in self._analyses]

    def __bool__(self) -> bool:
        return bool(self.phrases)

    def found_in(self, text: str) -> list[tuple[Phrase[T], Terms]]:
        """Return the phrases that a text has, in their order, each with its terms."""
        found: dict[int, Terms] = {}
        for analyse, having in zip(self._analyses, self._having, strict=True):
            asked = analyse(text)
            known = frozenset(asked)
            for number, terms in (one for term in known for one in having.get(term, ())):
                in_order = self.phrases[number].in_order
                if _follow(terms, asked) if in_order else known.issuperset(terms):
                    found.setdefault(number, terms)
        return [(self.phrases[number], found[number]) for number in sorted(found)]


def _by_rarest_term(
    phrases: Iterable[Phrase[T]], analyse: Callable[[str], list[str]]
) -> dict[str, list[tuple[int, Terms]]]:
    """Return term → the phrases in which no term is rarer: number and terms of each."""
    every = [tuple(analyse(plain_text(one.text))) for one in phrases]
    counts = Counter(term for terms in every for term in frozenset(terms))
    having = defaultdict(list)
    for number, terms in enumerate(every):
        if terms:
            having[min(terms, key=counts.__getitem__)].append((number, terms))
    return dict(having)


def _follow(terms: Terms, asked: Sequence[str]) -> bool:
    size = len(terms)
    return any(tuple(asked[at : at + size]) == terms for at in range(len(asked) - size + 1))
