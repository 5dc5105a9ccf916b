"""R@10 and AP@10 as means over questions, and what decides between two of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CUTOFF = 10
"""Recall and average precision are taken at this depth, as in the ObliQA paper."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions, 0 to 1."""

    recall: float
    """R@10."""
    average_precision: float
    """AP@10."""

    @property
    def objective(self) -> float:
        """What is maximised: R@10 + AP@10."""
        return self.recall + self.average_precision

    def __str__(self) -> str:
        return f"{self.recall:.4f} / {self.average_precision:.4f}"


def restored(record: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return a record in which `asdict` made some figures dictionaries, with figures again."""
    figures = {name: Figures(**record[name]) if record[name] else None for name in names}
    return {**record, **figures}


def quality(answers: NDArray[np.bool_], total: int) -> tuple[float, float]:
    """Return R@10 and AP@10 of one question as trec_eval defines them.

    Args:
        answers: which candidates answer it, best candidate first.
        total: how many passages do, whether candidates or not; at least 1.
    """
    hits = answers[:CUTOFF]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float(hits.sum() / total), float((precision * hits).sum() / total)


def mean_figures(values: NDArray[np.float64]) -> Figures:
    """Return the means of R@10 and AP@10, shape (questions, 2)."""
    recall, average_precision = values.mean(axis=0)
    return Figures(float(recall), float(average_precision))
