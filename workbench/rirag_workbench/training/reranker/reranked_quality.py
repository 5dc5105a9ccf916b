"""What a trained reranker makes of the hybrid's candidates for validation questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.training.data.examples import ValidationQuestion
from rirag_workbench.training.ranking.figures import Figures, mean_figures, quality, restored
from search.json_form import Record
from search.ranking.steps.rerank import mixed

WEIGHTS = np.arange(11) / 10
"""Weights of the reranker that are tried; the first leaves the hybrid's order."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the hybrid puts first for one question."""

    rows: tuple[int, ...]
    """Places of the passages in the index, best first."""
    fused: tuple[float, ...]
    """Their fused scores, 0 to 1."""


@dataclass(frozen=True, slots=True)
class RerankedQuality(Record):
    """R@10 and AP@10 of one state of a reranker on the validation questions."""

    weight: float
    """Of the reranker against the fused score, where both together are best."""
    fused: Figures
    """Without the reranker."""
    reranked: Figures
    alone: Figures
    """The reranker deciding alone."""
    seen: Figures | None
    """Reranked, on questions of which a passage is a positive in training; None: no such."""
    unseen: Figures | None
    """Reranked, on all others; None: no such."""
    questions: int

    @property
    def objective(self) -> float:
        """What decides between two states of a reranker: R@10 + AP@10."""
        return self.reranked.objective

    def __str__(self) -> str:
        return (
            f"fused {self.fused}, reranked {self.reranked} (weight {self.weight:.1f}), "
            f"alone {self.alone}, seen {self.seen or '-'}, unseen {self.unseen or '-'}"
        )

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> RerankedQuality:
        """Return what `to_json` made a record of."""
        return cls(**restored(record, ("fused", "reranked", "alone", "seen", "unseen")))


def reranked_quality(
    questions: Sequence[ValidationQuestion],
    candidates: Sequence[Candidates],
    scores: Sequence[NDArray[np.float32]],
    ids: Sequence[str],
    weight: float | None = None,
) -> RerankedQuality:
    """Measure one state of a reranker, mixed with the fused score as search mixes it.

    Args:
        questions: at least one.
        candidates: of each question.
        scores: of each question, the reranker's score of its candidates.
        ids: `ID` of each passage of the index.
        weight: of the reranker; the best of `WEIGHTS` if None.
    """
    weights = WEIGHTS if weight is None else np.array([0.0, weight, 1.0])
    values = np.array([
        [_figures(question, found, score, ids, one) for one in weights]
        for question, found, score in zip(questions, candidates, scores, strict=True)
    ])  # fmt: skip
    best = int(values.mean(axis=0).sum(axis=-1).argmax()) if weight is None else 1
    seen = np.array([question.seen for question in questions])
    return RerankedQuality(
        weight=float(weights[best]),
        fused=mean_figures(values[:, 0]),
        reranked=mean_figures(values[:, best]),
        alone=mean_figures(values[:, -1]),
        seen=mean_figures(values[seen, best]) if seen.any() else None,
        unseen=mean_figures(values[~seen, best]) if not seen.all() else None,
        questions=len(questions),
    )


def _figures(
    question: ValidationQuestion,
    found: Candidates,
    scores: NDArray[np.float32],
    ids: Sequence[str],
    weight: float,
) -> tuple[float, float]:
    """Return R@10 and AP@10 of one question."""
    order = np.argsort(-mixed(found.fused, scores, weight), kind="stable").tolist()
    answers = np.array([ids[found.rows[place]] in question.relevant for place in order], np.bool_)
    return quality(answers, len(question.relevant))
