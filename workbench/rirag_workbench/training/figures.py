"""What a fit gains on questions that it was not fitted to: R@10 and AP@10 before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.evaluation.statistics import marked, randomisation_test
from rirag_workbench.reports.tables import Table
from search.json_form import Record

CUTOFF = 10
"""Recall and average precision are taken at this depth, as in the ObliQA paper."""

Array = NDArray[np.float64]
Members = NDArray[np.bool_]
"""Which questions are meant, shape (questions,)."""

T = TypeVar("T")


def quality(answers: NDArray[np.bool_], total: int) -> tuple[float, float]:
    """Return R@10 and AP@10 of one question as trec_eval defines them.

    Args:
        total: how many passages do, whether candidates or not; at least 1.
    """
    hits = answers[:CUTOFF]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(hits.sum() / total), float((precision * hits).sum() / total)


@dataclass(frozen=True, slots=True)
class Figures(Record):
    """Means over questions, 0 to 1."""

    recall: float
    """R@10."""
    average_precision: float
    """AP@10."""

    @classmethod
    def of(cls, values: Array, weights: Array | None = None) -> Self:
        """Return the means of R@10 and AP@10, shape (questions, 2)."""
        recall, average_precision = np.average(values, axis=0, weights=weights)
        return cls(float(recall), float(average_precision))

    @property
    def objective(self) -> float:
        """What is maximised: R@10 + AP@10."""
        return self.recall + self.average_precision

    def __str__(self) -> str:
        return f"{self.recall:.4f} / {self.average_precision:.4f}"


@dataclass(frozen=True, slots=True)
class Gain(Record):
    """Figures of some questions before and after a step."""

    questions: int
    before: Figures
    after: Figures
    p_value: float
    """Of the difference in R@10 + AP@10, by a paired randomisation test, two-sided."""

    @classmethod
    def of(cls, before: Array, after: Array, weights: Array | None = None) -> Self:
        """Compare R@10 and AP@10 of the same questions, shape (questions, 2)."""
        differences = (after - before).sum(axis=1) * (1 if weights is None else weights)
        figures = Figures.of(before, weights), Figures.of(after, weights)
        return cls(len(before), *figures, randomisation_test(differences))


def gain_table(title: str, gains: Mapping[str, Gain]) -> Table:
    """Return gains as a table."""
    rows = [
        (name, one.questions, one.before.recall, one.after.recall, one.before.average_precision,
         one.after.average_precision, marked(one.p_value))
        for name, one in gains.items()
    ]  # fmt: skip
    return Table(title, ("questions", "R@10 before", "R@10", "AP@10 before", "AP@10", "p"), rows)


def left_out(
    folds: NDArray[np.int64], fit: Callable[[Members], T | None]
) -> Iterator[tuple[Members, T]]:
    """Fit to all folds but one, each in turn; yield the questions of that one and the fit.

    Args:
        fit: takes the questions to fit to; returns None where they teach nothing.
    """
    for fold in np.unique(folds):
        fitted = fit(folds != fold)
        if fitted is not None:
            yield folds == fold, fitted
