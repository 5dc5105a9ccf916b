"""Fitting what the nearest vector alone tells of there being an answer.

That is for documents that nothing was fitted on: BM25 scores, logits and fused scores mean
something else in each rulebook; far from everything in the vectors of an encoder is far anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rirag_workbench.training.fitted.logistic_fit import balanced, fit_logistic
from search.ranking.learned.relevance import NEARNESS_SIGNALS, Logistic
from search.trace import DOUBTFUL


class Nearest(NamedTuple):
    """A question, and how near the nearest passage is."""

    source: str
    """`answerable`, or where it comes from."""
    words: int
    cosine: float


@dataclass(frozen=True, slots=True)
class NearnessReport:
    """How well the nearest vector alone parts questions."""

    auroc: dict[str, float]
    """Source of unanswerable questions → how surely an answerable one is nearer to a passage."""
    declined: dict[str, float]
    """Source, `answerable` among them → share of its questions below `DOUBTFUL`."""


def fit_nearness(
    questions: Sequence[Nearest], held_out: Sequence[Nearest]
) -> tuple[Logistic, NearnessReport]:
    """Fit the probability of an answer to the best cosine, a single weight and an intercept.

    Args:
        questions: with and without an answer.
        held_out: without one, for the report alone; answerable ones are reported as fitted.
    """
    weights = balanced([one.words for one in questions], [one.source for one in questions])
    model = fit_logistic(
        [_signals(one) for one in questions],
        NEARNESS_SIGNALS,
        np.array([one.source == "answerable" for one in questions]),
        weights,
        1,
    )
    answerable = [one for one in questions if one.source == "answerable"]
    return model, _report(model, [*answerable, *held_out])


def _report(model: Logistic, questions: Sequence[Nearest]) -> NearnessReport:
    said: dict[str, list[float]] = {}
    for one in questions:
        said.setdefault(one.source, []).append(model.probability(_signals(one)).item())
    with_answer = said["answerable"]
    others = {name: values for name, values in said.items() if name != "answerable"}
    return NearnessReport(
        auroc={name: auroc(with_answer, values) for name, values in others.items()},
        declined={name: float(np.mean(np.less(values, DOUBTFUL))) for name, values in said.items()},
    )


def _signals(one: Nearest) -> dict[str, np.ndarray]:
    return {name: np.array([one.cosine]) for name in NEARNESS_SIGNALS}


def auroc(positive: Iterable[float], negative: Iterable[float]) -> float:
    """Return how often a positive is above a negative, ties counted half (Mann and Whitney)."""
    above, below = np.array(list(positive)), np.array(list(negative))
    if not len(above) or not len(below):
        return float("nan")
    wins = (above[:, None] > below).sum() + 0.5 * (above[:, None] == below).sum()
    return float(wins / (len(above) * len(below)))
