"""Logistic regression on questions of all lengths and sources.

Weights make every length of question half answerable and half not, so that length itself says
nothing; within a length, every source of unanswerable questions counts alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from search.errors import MissingDependencyError
from search.ranking.learned.features import Array
from search.ranking.learned.relevance import Logistic

LENGTHS = (5, 10, 18, 28)
"""Word counts at which a new length begins; the last two halve ObliQA's questions, and part them
from the everyday ones."""

MOST_WEIGHT = 20.0
"""Largest weight of a question against the median one."""


def balanced(words: Sequence[int], sources: Sequence[str]) -> Array:
    """Return a weight for each question: within every length both sorts weigh the same.

    Args:
        words: length of each question.
        sources: `answerable`, or the name of a source of unanswerable ones.
    """
    lengths = np.digitize(words, LENGTHS)
    weights = np.ones(len(words))
    names = np.array(sources)
    for length in np.unique(lengths):
        there = sorted(set(names[lengths == length]) - {"answerable"})
        total = float((lengths == length).sum())
        for name in ("answerable", *there):
            members = (lengths == length) & (names == name)
            share = 2 if name == "answerable" else 2 * len(there)
            weights[members] = total / share / max(members.sum(), 1)
    return np.asarray(np.minimum(weights, MOST_WEIGHT * np.median(weights)))


def fit_logistic(
    known: Sequence[Mapping[str, Array]],
    names: tuple[str, ...],
    answers: NDArray[np.bool_],
    weights: Array,
    rows: int,
) -> Logistic:
    """Fit a logistic regression over the first rows of each question.

    Args:
        known: the signals of each question's candidates.
        names: of the signals that are used.
        answers: what came true of each row.
        weights: of each row.
        rows: how many candidates of a question are taken.

    Raises:
        MissingDependencyError: scikit-learn is not installed.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingDependencyError("Fitting a calibration", "train", workbench=True) from None
    table = np.vstack([np.column_stack([one[name][:rows] for name in names]) for one in known])
    mean, spread = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-9)
    # A constant signal gets no weight, whatever it is divided by.
    model = LogisticRegression(C=1.0, max_iter=1000)
    model.fit((table - mean) / spread, answers, sample_weight=weights / weights.mean())
    slopes = np.where(table.std(axis=0) > 1e-9, model.coef_[0] / spread, 0.0)
    intercept = float(model.intercept_[0] - (slopes * mean).sum())
    return Logistic(names, tuple(float(one) for one in slopes), intercept)
