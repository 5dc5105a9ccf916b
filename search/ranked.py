"""Candidates between the fusion and the hits: what every step said of each, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from search.fitted.judge import Judgement
from search.fused import FusedCandidates
from search.records import Hit, Key, LearnedScore, LegScore, Passage, Scores
from search.rule_numbers.lookup import Named


class Ranked(NamedTuple):
    """A candidate on its way to a hit; a tuple, because every search makes hundreds."""

    key: Key
    score: float
    """The score that decides; the fused one until something better is known."""
    place: int | None = None
    """In the fusion; None: no leg proposed it, the question names it."""
    rerank: LegScore | None = None
    number: float | None = None


def unranked(fused: FusedCandidates) -> list[Ranked]:
    """Return the candidates of the fusion, in its order."""
    scores = fused.scores.tolist()
    return [
        Ranked(key, score, place)
        for place, (key, score) in enumerate(zip(fused.keys, scores, strict=True))
    ]


def hits_of(
    ranked: Sequence[Ranked],
    passages: Sequence[Passage],
    fused: FusedCandidates,
    judgement: Judgement,
) -> tuple[Hit, ...]:
    """Return hits with what every step said of them.

    Args:
        ranked: the candidates, best first.
        passages: theirs.
        fused: what the legs said.
        judgement: what fitted models say.
    """
    learned = judgement.explained(one.place for one in ranked if one.place is not None)
    return tuple(
        Hit(
            rank,
            one.score,
            _scores(one, fused, None if one.place is None else learned.get(one.place)),
            passage,
            None if one.place is None else judgement.relevance_of(one.place),
        )
        for rank, (one, passage) in enumerate(zip(ranked, passages, strict=True), start=1)
    )


def _scores(one: Ranked, fused: FusedCandidates, learned: LearnedScore | None) -> Scores:
    if one.place is None:
        # Named, but proposed by no leg: its fused score is 0 and it has no rank there.
        return Scores(fused=LegScore(0.0, 0.0, 0), rerank=one.rerank, number=one.number)
    said = fused[one.place]
    return Scores(
        fused=LegScore(said.score, said.score, one.place + 1),
        lexical=said.lexical,
        dense=said.dense,
        document=said.document,
        memory=said.memory,
        rerank=one.rerank,
        learned=learned,
        number=one.number,
    )


def order_of(ranked: Sequence[Ranked]) -> list[tuple[int, float]]:
    """Return places in the fusion and scores, of those that have a place."""
    return [(one.place, one.score) for one in ranked if one.place is not None]


def reranked_scores(ranked: Sequence[Ranked]) -> dict[int, LegScore]:
    """Return what the cross-encoder said of those that it read, by their places in the fusion."""
    return {
        one.place: one.rerank for one in ranked if one.rerank is not None and one.place is not None
    }


def in_learned_order(ranked: list[Ranked], judgement: Judgement) -> list[Ranked]:
    """Return the candidates as the learned last step orders them, if it does."""
    if not judgement.learned:
        return ranked
    scores = judgement.learned
    head = [
        one._replace(score=scores[one.place].score)
        for one in ranked
        if one.place is not None and one.place in scores
    ]
    tail = [one for one in ranked if one.place not in scores]
    return followed_by(sorted(head, key=lambda one: -one.score), tail)


def followed_by(head: list[Ranked], tail: Sequence[Ranked]) -> list[Ranked]:
    """Return what a step looked at, then what it did not, in its order and scored no higher."""
    floor = min((one.score for one in head), default=1.0)
    return head + [one if one.score <= floor else one._replace(score=floor) for one in tail]


def as_named(named: Named, known: Ranked | None) -> Ranked:
    """Return a passage that the question names, with what the legs said of it."""
    known = known or Ranked(named.candidate.key, 0.0)
    return known._replace(score=named.score, number=named.score)
