"""The order of the candidates between the fusion and the hits, and what decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from search.lookup.pins import Named
from search.ranking.candidate_set import Fused, FusedCandidates, Ranking
from search.ranking.learned.apply import Judgement
from search.records import Hit, Key, LearnedScore, Passage, RetrieverScore, Scores

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


def in_learned_order(ranking: Ranking, judgement: Judgement) -> Ranking:
    """Return the candidates as the learned ranking orders them, if it does."""
    if judgement.learned is None:
        return ranking
    scores = judgement.learned.score
    return ranking.reordered(ranking.places[: len(scores)], scores)


def best(fused: FusedCandidates, ranking: Ranking, k: int) -> list[Ranked]:
    """Return the first k candidates."""
    places, scores = ranking.places[:k], ranking.scores[:k]
    rows = zip(fused.keys[places].tolist(), scores.tolist(), places.tolist(), strict=True)
    return [Ranked(*row) for row in rows]


def answered_first(fused: FusedCandidates, ranking: Ranking, answers: NDArray[np.int64]) -> Ranking:
    """Return the order with the passages first that answered the very question before.

    Their score is 1, which nothing else has: somebody said that they answer.
    """
    scores = ranking.scores.copy()
    scores[np.isin(fused.keys.take(ranking.places), answers)] = 1.0
    return ranking.reordered(ranking.places, scores)


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
    if not named and factor == 1:
        return best(fused, ranking, k)
    places = {key: place for place, key in enumerate(fused.keys.tolist())}
    first = {one.candidate.key: _ranked(one, places) for one in named}
    others = (
        one._replace(score=one.score * factor)
        for one in best(fused, ranking, len(fused))
        if one.key not in first
    )
    return list(islice((*first.values(), *others), k))


def _ranked(named: Named, places: Mapping[Key, int]) -> Ranked:
    key, number = named.candidate.key, None if named.definition else named.score
    return Ranked(key, named.score, places.get(key), number, named.definition)


def hits_of(
    ranked: Sequence[Ranked],
    passages: Sequence[Passage],
    fused: FusedCandidates,
    rerank: Mapping[int, RetrieverScore],
    judgement: Judgement,
) -> tuple[Hit, ...]:
    """Return hits with what every step said of them.

    Args:
        ranked: the candidates, best first.
        passages: theirs.
        fused: what the retrievers said.
        rerank: what the reranker said, by place.
        judgement: what fitted models say.
    """
    places = [one.place for one in ranked if one.place is not None]
    said = dict(zip(places, fused.at(places), strict=True))
    learned = judgement.explained(places)
    return tuple(
        Hit(
            rank,
            one.score,
            _scores(one, said, rerank, learned),
            passage,
            None if one.place is None else judgement.relevance_of(one.place),
            one.definition,
        )
        for rank, (one, passage) in enumerate(zip(ranked, passages, strict=True), start=1)
    )


def without_relevance_above_score(hit: Hit) -> Hit:
    """Return a hit beside a rule that does not exist: like it as it may be, it is another one."""
    if hit.relevance is None or hit.relevance <= hit.score:
        return hit
    return replace(hit, relevance=hit.score)


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
        heading=fused.heading,
        rerank=rerank.get(one.place),
        learned=learned.get(one.place),
        number=one.number,
    )
