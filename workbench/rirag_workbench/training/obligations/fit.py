"""A logistic regression over sentence vectors, measured by folds against the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.text.obligations import DUTIES, kind_of
from rirag_workbench.training.data.folds import FOLDS, fold_of
from search.errors import MissingDependencyError

Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]
"""Returns unit vectors of sentences."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How well obligations are told from other sentences, each from 0 to 1."""

    accuracy: float
    precision: float
    recall: float

    @classmethod
    def of(cls, said: NDArray[np.bool_], true: NDArray[np.bool_]) -> Quality:
        """Compare what was said with what is true."""
        right = float(np.sum(said & true))
        return cls(
            float(np.mean(said == true)), right / max(1, said.sum()), right / max(1, true.sum())
        )


@dataclass(frozen=True, slots=True)
class Fitted:
    """A classifier and how good it is."""

    weights: NDArray[np.float64]
    bias: float
    sentences: int
    classifier: Quality
    """On folds that it was not fitted to."""
    rules: Quality
    """Of the rules, on the same sentences."""

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "sentences": self.sentences, "folds": FOLDS, "classifier": asdict(self.classifier),
            "rules": asdict(self.rules),
        }  # fmt: skip


def fit(labelled: Sequence[tuple[str, bool]], encode: Encode) -> Fitted:
    """Fit a classifier.

    Raises:
        MissingDependencyError: scikit-learn is not installed.
    """
    texts = [text for text, _ in labelled]
    true = np.array([label for _, label in labelled])
    vectors = encode(texts)
    folds = np.array([fold_of(text) for text in texts])
    said = np.zeros(len(texts), dtype=bool)
    for fold in range(FOLDS):
        there = folds == fold
        if there.any():
            weights, bias = _regression(vectors[~there], true[~there])
            said[there] = vectors[there] @ weights + bias > 0
    by_rules = np.array([kind_of(text) in DUTIES for text in texts])
    weights, bias = _regression(vectors, true)
    return Fitted(weights, bias, len(texts), Quality.of(said, true), Quality.of(by_rules, true))


def _regression(vectors: Vectors, labels: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingDependencyError("training", "train", workbench=True) from None
    model = LogisticRegression(C=30.0, max_iter=2_000).fit(vectors, labels)
    return model.coef_[0], float(model.intercept_[0])
