"""What one state of a model is worth on the validation questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.training.data.examples import ValidationQuestion
from rirag_workbench.training.data.negatives import (
    Ranking,
    cosines,
    dense_ranking,
    hybrid_ranking,
)
from rirag_workbench.training.figures import Array, Figures, quality
from search.json_form import Record
from search.models.encoders.protocol import Vectors
from search.ranking.steps.ordering.rerank import mixed

WEIGHTS = np.arange(11) / 10
"""Lexical weights of an encoder, and weights of a reranker, that are tried."""


@dataclass(frozen=True, slots=True)
class Quality(Record):
    """R@10 and AP@10 of one state of a model on the validation questions."""

    seen: Figures | None
    """On questions of which a passage is a positive in training; None: no such."""
    unseen: Figures | None
    """On all others; None: no such."""
    questions: int

    @property
    def objective(self) -> float:
        """What is maximised: R@10 + AP@10."""
        raise NotImplementedError

    def columns(self) -> dict[str, Figures | float | None]:
        """Return the figures by their names in a table."""
        raise NotImplementedError

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {'-' if one is None else one}" for name, one in self.columns().items()
        )

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Self:
        """Return what `to_json` made a record of."""
        fields: dict[str, Any] = {
            name: Figures(**one) if isinstance(one, dict) else one for name, one in record.items()
        }
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class RetrievalQuality(Quality):
    """What an encoder retrieves: dense, and mixed with BM25."""

    alpha: float
    """Lexical weight at which the hybrid is best."""
    dense: Figures
    hybrid: Figures
    questions_unseen: int

    @property
    def objective(self) -> float:
        """R@10 + AP@10 of the hybrid."""
        return self.hybrid.objective

    def columns(self) -> dict[str, Figures | float | None]:
        """Return the figures by their names in a table."""
        return {
            "dense": self.dense, "hybrid": self.hybrid, "alpha": self.alpha, "seen": self.seen,
            "unseen": self.unseen,
        }  # fmt: skip


def quality_of(
    questions: Sequence[ValidationQuestion],
    lexical: Sequence[Ranking],
    vectors: Vectors,
    passages: Vectors,
    ids: Sequence[str],
    alpha: float | None = None,
) -> RetrievalQuality:
    """Measure one state of an encoder.

    Args:
        vectors: of the questions, shape (questions, dimension).
        passages: vectors of the passages, shape (passages, dimension).
        alpha: lexical weight of the hybrid; the best of `WEIGHTS` if None.
    """
    # The first is the dense retriever alone, the last of all BM25 alone.
    alphas = WEIGHTS if alpha is None else np.array([0.0, alpha])

    def of(question: ValidationQuestion, ranking: Sequence[int]) -> tuple[float, float]:
        answers = [ids[row] in question.relevant for row in ranking]
        return quality(np.array(answers, np.bool_), len(question.relevant))

    rows = range(len(ids))
    asked = zip(questions, lexical, cosines(vectors, passages), strict=True)
    values = np.array([
        [of(question, hybrid_ranking(found, dense_ranking(scores, rows), one)) for one in alphas]
        for question, found, scores in asked
    ])  # fmt: skip
    best = _best(values) if alpha is None else 1
    seen, unseen = _by_training(questions, values[:, best])
    return RetrievalQuality(
        seen=seen,
        unseen=unseen,
        questions=len(questions),
        alpha=float(alphas[best]),
        dense=Figures.of(values[:, 0]),
        hybrid=Figures.of(values[:, best]),
        questions_unseen=sum(not question.seen for question in questions),
    )


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the hybrid puts first for one question."""

    rows: tuple[int, ...]
    """Places of the passages in the index, best first."""
    fused: tuple[float, ...]
    """Their fused scores, 0 to 1."""


@dataclass(frozen=True, slots=True)
class RerankedQuality(Quality):
    """What a reranker makes of the hybrid's candidates."""

    weight: float
    """Of the reranker against the fused score, where both together are best."""
    fused: Figures
    """Without the reranker."""
    reranked: Figures
    alone: Figures
    """The reranker deciding alone."""

    @property
    def objective(self) -> float:
        """R@10 + AP@10 of both together."""
        return self.reranked.objective

    def columns(self) -> dict[str, Figures | float | None]:
        """Return the figures by their names in a table."""
        return {
            "fused": self.fused, "reranked": self.reranked, "weight": self.weight,
            "alone": self.alone, "seen": self.seen, "unseen": self.unseen,
        }  # fmt: skip


def reranked_quality(
    questions: Sequence[ValidationQuestion],
    candidates: Sequence[Candidates],
    scores: Sequence[NDArray[np.float32]],
    ids: Sequence[str],
    weight: float | None = None,
) -> RerankedQuality:
    """Measure one state of a reranker, mixed with the fused score as search mixes it.

    Args:
        weight: of the reranker; the best of `WEIGHTS` if None.
    """
    # The first leaves the hybrid's order, the last is the reranker alone.
    weights = WEIGHTS if weight is None else np.array([0.0, weight, 1.0])

    def of(
        question: ValidationQuestion, found: Candidates, given: NDArray[np.float32], one: float
    ) -> tuple[float, float]:
        order = np.argsort(-mixed(found.fused, given, one), kind="stable").tolist()
        answers = [ids[found.rows[place]] in question.relevant for place in order]
        return quality(np.array(answers, np.bool_), len(question.relevant))

    asked = zip(questions, candidates, scores, strict=True)
    values = np.array([[of(*one, share) for share in weights] for one in asked])
    best = _best(values) if weight is None else 1
    seen, unseen = _by_training(questions, values[:, best])
    return RerankedQuality(
        seen=seen,
        unseen=unseen,
        questions=len(questions),
        weight=float(weights[best]),
        fused=Figures.of(values[:, 0]),
        reranked=Figures.of(values[:, best]),
        alone=Figures.of(values[:, -1]),
    )


def _best(values: Array) -> int:
    """Return the weight that is best over all questions; values have shape (N, weights, 2)."""
    return int(values.mean(axis=0).sum(axis=-1).argmax())


def _by_training(
    questions: Sequence[ValidationQuestion], values: Array
) -> tuple[Figures | None, Figures | None]:
    """Return the figures of questions whose passages training saw, and of the others."""
    seen = np.array([question.seen for question in questions])
    return (
        Figures.of(values[seen]) if seen.any() else None,
        Figures.of(values[~seen]) if not seen.all() else None,
    )
