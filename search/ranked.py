"""Candidates between the fusion and the hits: what every step said of each, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from search.fusion import Fused
from search.judge import Judgement
from search.records import Hit, Key, LearnedScore, LegScore, Passage, Scores
from search.rule_lookup import Named


class Ranked(NamedTuple):
    """A candidate on its way to a hit; a tuple, because every search makes hundreds."""

    key: Key
    score: float
    """The score that decides; the fused one until something better is known."""
    fused: LegScore
    lexical: LegScore | None = None
    dense: LegScore | None = None
    document: LegScore | None = None
    memory: LegScore | None = None
    rerank: LegScore | None = None
    number: float | None = None

    def hit(
        self, rank: int, passage: Passage, learned: LearnedScore | None, relevance: float | None
    ) -> Hit:
        """Return the hit at a rank, with what fitted models say of it."""
        scores = Scores(
            fused=self.fused,
            lexical=self.lexical,
            dense=self.dense,
            document=self.document,
            memory=self.memory,
            rerank=self.rerank,
            learned=learned,
            number=self.number,
        )
        return Hit(rank, self.score, scores, passage, relevance)


def unranked(fused: Sequence[Fused]) -> list[Ranked]:
    """Return the candidates of the fusion, in its order."""
    return [
        Ranked(
            key=one.key,
            score=one.score,
            fused=LegScore(one.score, one.score, rank),
            lexical=one.lexical,
            dense=one.dense,
            document=one.document,
            memory=one.memory,
        )
        for rank, one in enumerate(fused, start=1)
    ]


def reranked_scores(ranked: Sequence[Ranked]) -> dict[Key, LegScore]:
    """Return what the cross-encoder said of those that it read."""
    return {one.key: one.rerank for one in ranked if one.rerank is not None}


def in_learned_order(ranked: list[Ranked], judgement: Judgement) -> list[Ranked]:
    """Return the candidates as the learned last step orders them, if it does."""
    if not judgement.learned:
        return ranked
    scores = judgement.learned
    head = [one._replace(score=scores[one.key].score) for one in ranked if one.key in scores]
    tail = [one for one in ranked if one.key not in scores]
    return followed_by(sorted(head, key=lambda one: -one.score), tail)


def followed_by(head: list[Ranked], tail: Sequence[Ranked]) -> list[Ranked]:
    """Return what a step looked at, then what it did not, in its order and scored no higher."""
    floor = min((one.score for one in head), default=1.0)
    return head + [one if one.score <= floor else one._replace(score=floor) for one in tail]


def as_named(named: Named, known: Ranked | None) -> Ranked:
    """Return a passage that the question names, with what the legs said of it."""
    if known is None:
        # Named, but proposed by no leg: its fused score is 0 and it has no rank there.
        known = Ranked(named.candidate.key, 0.0, LegScore(0.0, 0.0, 0))
    return known._replace(score=named.score, number=named.score)
