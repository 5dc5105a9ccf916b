"""The order of the candidates between the fusion and the hits, and what decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from search.lookup.pins import NAMED, Named
from search.ranking.candidate_set import Fused, FusedCandidates, Ranking
from search.ranking.steps.protocol import Search
from search.records import LANGUAGE, Hit, Key, LearnedScore, Passage, RetrieverScore, Scores
from search.text.analyzer import GRAMMAR
from search.text.spans import locate_words


class Ranked(NamedTuple):
    """A candidate that becomes a hit."""

    key: Key
    score: float
    place: int | None
    """In the fusion; None: no retriever proposed it, the question names it."""
    number: float | None = None
    """How far the question names it by number; None: it does not."""
    definition: str = ""
    """What it says of the term whose meaning is asked for."""


def best_after_named(
    fused: FusedCandidates, ranking: Ranking, k: int, named: Sequence[Named], factor: float
) -> list[Ranked]:
    """Return the passages that the question names, and then the others, k in all.

    Args:
        fused: all candidates.
        ranking: their order.
        k: how many are wanted.
        named: what the question names, best first.
        factor: on the score of all others.
    """
    place_of = {key: place for place, key in enumerate(fused.keys.tolist())} if named else {}
    first = {one.candidate.key: _ranked(one, place_of) for one in named}
    others = ~np.isin(fused.keys[ranking.places], list(first))
    places, scores = ranking.places[others][:k], ranking.scores[others][:k] * factor
    rows = zip(fused.keys[places].tolist(), scores.tolist(), places.tolist(), strict=True)
    return [*first.values(), *(Ranked(*row) for row in rows)][:k]


def with_pinned(ranked: Sequence[Ranked], search: Search) -> list[Ranked]:
    """Return the passages with those that a person pinned in their places.

    What the question names stays before them. Each gets the score of the one before it.
    """
    known = {one.key: one.place for one in ranked}
    named = {one.candidate.key for one in search.named}
    found = [one for one in ranked if one.key in named or one.key not in search.pinned]
    at = len(named)
    for key, place in sorted(search.pinned.items(), key=lambda one: one[1]):
        if key not in named:
            at = min(max(at, place - 1), len(found))
            score = found[at - 1].score if at else NAMED
            found.insert(at, Ranked(key, score, known.get(key)))
            at += 1
    return found


def _ranked(named: Named, places: Mapping[Key, int]) -> Ranked:
    key, number = named.candidate.key, None if named.definition else named.score
    return Ranked(key, named.score, places.get(key), number, named.definition)


def hits_of(
    search: Search, ranked: Sequence[Ranked], passages: Sequence[Passage]
) -> tuple[Hit, ...]:
    """Return hits with what every step said of them.

    Args:
        search: after its steps.
        ranked: the first candidates, best first.
        passages: theirs.
    """
    places = [one.place for one in ranked if one.place is not None]
    said = dict(zip(places, search.fused.at(places), strict=True))
    learned = search.judgement.explained(places)
    terms = frozenset(search.request.tokens or search.question.tokens) - GRAMMAR
    rows = enumerate(zip(ranked, passages, strict=True), start=1)
    return tuple(
        Hit(
            rank,
            one.score,
            _scores(one, said, search.ranking.rerank, learned),
            passage,
            _relevance(search, one),
            one.definition,
            tuple(locate_words(terms, passage.text, str(passage.metadata.get(LANGUAGE, "")))),
            search.opened.works.in_time(passage),
        )
        for rank, (one, passage) in rows
    )


def _relevance(search: Search, one: Ranked) -> float | None:
    """Return how likely a candidate answers, if it is known.

    Beside a rule that does not exist it is no more than the score: like that rule as the passage
    may be, it is another one.
    """
    if one.place is None or search.judgement.relevance is None:
        return None
    relevance = float(search.judgement.relevance[one.place])
    return min(relevance, one.score) if search.trace.unfound and search.beside < 1 else relevance


def _scores(
    one: Ranked,
    said: Mapping[int, Fused],
    rerank: Mapping[int, RetrieverScore],
    learned: Mapping[int, LearnedScore],
) -> Scores:
    if one.place is None:
        # Named, but proposed by no retriever: its fused score is 0 and it has no rank there.
        return Scores(fused=RetrieverScore(0.0, 0.0, 0), number=one.number)
    fused = said[one.place]
    return Scores(
        fused=RetrieverScore(fused.score, fused.score, one.place + 1),
        lexical=fused.lexical,
        dense=fused.dense,
        document=fused.document,
        votes=fused.memory,
        help=fused.help,
        rerank=rerank.get(one.place),
        learned=learned.get(one.place),
        number=one.number,
    )
