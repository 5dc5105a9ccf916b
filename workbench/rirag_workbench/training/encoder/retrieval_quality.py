"""What a trained encoder retrieves for validation questions: dense, and mixed with BM25."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rirag_workbench.training.data.examples import ValidationQuestion
from rirag_workbench.training.ranking.figures import Figures, mean_figures, restored
from rirag_workbench.training.ranking.lexical import Ranking
from rirag_workbench.training.ranking.negatives import cosines, dense_ranking
from rirag_workbench.training.ranking.samples import RetrievalSample, Weights, features, qualities
from search.json_form import Record
from search.models.encoders.protocol import Vectors

ALPHAS = np.arange(11) / 10
"""Lexical weights that are tried; the first is the dense retriever alone, the last BM25 alone."""


@dataclass(frozen=True, slots=True)
class RetrievalQuality(Record):
    """R@10 and AP@10 of one state of an encoder on the validation questions."""

    alpha: float
    """Lexical weight at which the hybrid is best."""
    dense: Figures
    hybrid: Figures
    seen: Figures | None
    """The hybrid on questions of which a passage is a positive in training; None: no such."""
    unseen: Figures | None
    """The hybrid on all others; None: no such."""
    questions: int
    questions_unseen: int

    @property
    def objective(self) -> float:
        """What decides between two states of an encoder: the hybrid's R@10 + AP@10."""
        return self.hybrid.objective

    def __str__(self) -> str:
        return (
            f"dense {self.dense}, hybrid {self.hybrid} (alpha {self.alpha:.1f}), "
            f"seen {self.seen or '-'}, unseen {self.unseen or '-'}"
        )

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> RetrievalQuality:
        """Return what `to_json` made a record of."""
        return cls(**restored(record, ("dense", "hybrid", "seen", "unseen")))


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
        questions: at least one.
        lexical: BM25 candidates of each, by place of the passage in `ids`.
        vectors: of the questions, shape (questions, dimension).
        passages: vectors of the passages, shape (passages, dimension).
        ids: `ID` of each passage.
        alpha: lexical weight of the hybrid; the best of `ALPHAS` if None.
    """
    alphas = ALPHAS if alpha is None else np.array([0.0, alpha])
    rows = range(len(ids))
    values = np.empty((len(questions), len(alphas), 2))
    asked = zip(questions, lexical, cosines(vectors, passages), strict=True)
    for number, (question, retriever, scores) in enumerate(asked):
        dense = dense_ranking(scores, rows)
        sample = _sample(question, retriever, dense, ids)
        values[number] = qualities(features(sample), Weights(alphas, np.zeros(1)))[:, 0, 0]
    best = int(values.mean(axis=0).sum(axis=-1).argmax()) if alpha is None else 1
    seen = np.array([question.seen for question in questions])
    return RetrievalQuality(
        alpha=float(alphas[best]),
        dense=mean_figures(values[:, 0]),
        hybrid=mean_figures(values[:, best]),
        seen=mean_figures(values[seen, best]) if seen.any() else None,
        unseen=mean_figures(values[~seen, best]) if not seen.all() else None,
        questions=len(questions),
        questions_unseen=int((~seen).sum()),
    )


def _sample(
    question: ValidationQuestion, lexical: Ranking, dense: Ranking, ids: Sequence[str]
) -> RetrievalSample:
    return RetrievalSample(
        question_id=question.question_id,
        words=len(question.question.split()),
        relevant=question.relevant,
        lexical={ids[row]: score for row, score in lexical},
        dense={ids[row]: score for row, score in dense},
        documents={},
        document_of={ids[row]: "" for row, _ in (*lexical, *dense)},
    )
