"""Find what the abbreviations of a question stand for, and what abbreviates its words.

The index keeps under exact keys which passages explain an abbreviation, and which are below a
heading with its initials. They are found with the
filters of the search: what these exclude explains nothing, so that a search shows nothing of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from search.caches import LastUsed
from search.engines.protocol import Engine, RetrievalRequest
from search.lookup.question import Question
from search.provisions.links.keys import heading_abbreviations, initials, meaning, short_form
from search.provisions.terms.abbreviations import Abbreviation, abbreviations_in, short_key
from search.text.analyzer import FUNCTION_WORDS, tokens
from search.text.characters import LETTERS

KnownWord = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]
"""A word, and the filters under which passages are asked for it."""

LONGEST_QUESTION = 4
"""Words of the longest question whose abbreviations are looked up; a longer one says enough."""
OWN_WORDS = 2
"""How often BM25 counts the words of the question where it counts those of other forms once. At 1,
abbreviations that many passages have draw the first hit away; at 3, less is found among ten
(docs/research/learned-fusion.md)."""

SHOUTED = 4
"""Words of the shortest question that is written in capitals, rather than in abbreviations."""

_READ = 8
"""Passages that are read at a time."""
_MOST_TERMS = 12
"""Index terms of a question that are looked up; only one that is not typed by hand has more."""
_AROUND = "“”„\"‘’‚'«»‹›()[].,;:?!"


def explained(engine: Engine, question: Question) -> tuple[Abbreviation, ...]:
    """Return the abbreviations that a question has, or has the meaning of, as the index explains
    them; of several explanations the most frequent counts.
    """
    asked = set(_keys(question))
    found: dict[str, Abbreviation] = {}
    while asked:
        filters = question.filters.having(number=tuple(sorted(asked)))
        passages = [passage for _, passage in engine.find(filters, limit=_READ)]
        given = Counter(one for passage in passages for one in _abbreviations_in(passage.text))
        for one, _ in given.most_common():
            for key in asked.intersection((short_form(one.short), meaning(one.meaning))):
                found.setdefault(key, one)
        unread = len(passages) == _READ and not asked.isdisjoint(found)
        asked = asked.difference(found) if unread else set()
    return tuple(dict.fromkeys(found.values()))


def spelled_out(
    engine: Engine, question: Question, known: LastUsed[KnownWord, bool]
) -> tuple[Abbreviation, ...]:
    """Return the abbreviations of a question that no passage has and that are the initials of a
    heading; of several such headings the most frequent counts.

    Args:
        engine: of the index.
        question: with its filters.
        known: whether passages have a word, as far as the engine was asked before; added to.
    """
    if question.text.isupper() and question.words >= SHOUTED:
        return ()
    found = []
    for word in dict.fromkeys(one.strip(_AROUND) for one in question.text.split()):
        short = word.removesuffix("s")
        if not (short.isalpha() and short.isupper()) or is_known(engine, question, word, known):
            continue
        filters = question.filters.having(number=(initials(short),))
        passages = [passage for _, passage in engine.find(filters, limit=_READ)]
        given = (one for passage in passages for one in heading_abbreviations(passage))
        meanings = Counter(one.meaning for one in given if short_key(one.short) == short_key(short))
        found += [Abbreviation(short, words) for words, _ in meanings.most_common(1)]
    return tuple(found)


def in_full(text: str, forms: Mapping[str, str]) -> str:
    """Return a text with other words in the places of some, or of their plurals."""

    def other(found: re.Match[str]) -> str:
        word = found[0]
        return forms.get(word) or forms.get(word.removesuffix("s"), word)

    return LETTERS.sub(other, text)


def is_known(
    engine: Engine, question: Question, word: str, known: LastUsed[KnownWord, bool]
) -> bool:
    """Return whether a passage within the filters of a question has a word.

    Args:
        known: what the engine was asked before; added to.
    """
    key = (word, tuple(sorted(question.filters.fields.items())))
    if key in (found := known.known([key])):
        return found[key]
    request = RetrievalRequest(tuple(tokens(word)), depth=1, filters=question.filters)
    has = not request.tokens or len(engine.run(request).lexical) > 0
    known.keep({key: has})
    return has


@lru_cache(maxsize=64)
def _abbreviations_in(text: str) -> tuple[Abbreviation, ...]:
    return abbreviations_in(text)  # some milliseconds for a chapter in one passage


def _keys(question: Question) -> Iterator[str]:
    """Yield the keys of passages that may explain something of a question."""
    for word in (typed.strip(_AROUND) for typed in question.text.split()):
        if word.isupper() or word.lower() not in FUNCTION_WORDS:
            yield short_form(word)
            yield short_form(word.removesuffix("s"))
    terms = question.tokens[:_MOST_TERMS]
    for start in range(len(terms)):
        for end in range(start, len(terms)):
            yield meaning(" ".join(terms[start : end + 1]))
