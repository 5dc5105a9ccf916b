"""What one state of a model is worth on the validation questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    figures: Mapping[str, Figures | None]
    """By what decides the order; `seen`: on questions of which a passage is a positive in training,
    `unseen`: on all others; None: there are none."""
    chosen: str
    """Name of the figures that are maximised."""
    weight: float
    """Of BM25 beside an encoder, or of a reranker beside the fused score, where they are best."""
    questions: int

    json_form = "figures.* chosen weight questions"

    @property
    def objective(self) -> float:
        """What is maximised: R@10 + AP@10."""
        best = self.figures[self.chosen]
        return best.objective if best else 0.0

    def __str__(self) -> str:
        cells = (f"{name} {one or '-'}" for name, one in self.figures.items())
        return f"{', '.join(cells)} (weight {self.weight:.1f})"

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Self:
        """Return what `to_json` made a record of."""
        about = {name: record[name] for name in ("chosen", "weight", "questions")}
        figures = {name: record[name] for name in record if name not in about}
        return cls({name: one and Figures(**one) for name, one in figures.items()}, **about)


def quality_of(
    questions: Sequence[ValidationQuestion],
    lexical: Sequence[Ranking],
    vectors: Vectors,
    passages: Vectors,
    ids: Sequence[str],
    alpha: float | None = None,
) -> Quality:
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
    figures = {"dense": Figures.of(values[:, 0]), "hybrid": Figures.of(values[:, best])}
    parts = _by_training(questions, values[:, best])
    return Quality({**figures, **parts}, "hybrid", float(alphas[best]), len(questions))


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the hybrid puts first for one question."""

    rows: tuple[int, ...]
    """Places of the passages in the index, best first."""
    fused: tuple[float, ...]
    """Their fused scores, 0 to 1."""


def reranked_quality(
    questions: Sequence[ValidationQuestion],
    candidates: Sequence[Candidates],
    scores: Sequence[NDArray[np.float32]],
    ids: Sequence[str],
    weight: float | None = None,
) -> Quality:
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
    columns = {"fused": 0, "reranked": best, "alone": -1}
    figures = {name: Figures.of(values[:, column]) for name, column in columns.items()}
    parts = _by_training(questions, values[:, best])
    return Quality({**figures, **parts}, "reranked", float(weights[best]), len(questions))


def _best(values: Array) -> int:
    """Return the weight that is best over all questions; values have shape (N, weights, 2)."""
    return int(values.mean(axis=0).sum(axis=-1).argmax())


def _by_training(
    questions: Sequence[ValidationQuestion], values: Array
) -> dict[str, Figures | None]:
    """Return the figures of questions whose passages training saw, and of the others."""
    seen = np.array([question.seen for question in questions])
    parts = {"seen": values[seen], "unseen": values[~seen]}
    return {name: Figures.of(part) if len(part) else None for name, part in parts.items()}
