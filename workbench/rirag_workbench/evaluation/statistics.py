"""Is a difference more than luck: a test, intervals, and a sample from all over a set.

Paired randomisation test, two-sided (Fisher), as Smucker, Allan and Carterette recommend for
retrieval (CIKM 2007): if both runs were alike, each question's difference could as well have
the other sign. Intervals resample whole questions: answers to one question are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import Table
from search.json_form import Record

T = TypeVar("T")


def spread(items: Sequence[T], limit: int | None) -> list[T]:
    """Return at most `limit` items, evenly spread, so that no part of a file is left out.

    Args:
        limit: how many; None: all.
    """
    if limit is None or len(items) <= limit:
        return list(items)
    return [items[place * len(items) // limit] for place in range(limit)]


ROUNDS = 20_000
"""Random sign patterns; p-values near 0.05 are then exact to about 0.003 (two standard errors)."""
EXACT_UP_TO = 14
"""With at most this many differing questions all sign patterns are tried instead."""
SEED = 20_070_611
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Comparison(Record):
    """One measure of a run against another run over the same questions."""

    measure: str
    value: float
    """Mean of the run."""
    other: float
    """Mean of the run it is compared with."""
    p_value: float
    """Two-sided; small means that the difference is hardly luck."""
    better: int
    """Questions on which the run is better."""
    worse: int
    equal: int

    @property
    def difference(self) -> float:
        """How much higher the run's mean is."""
        return self.value - self.other

    json_form = "* difference"


SIGNIFICANT = 0.05
"""A difference with a smaller p is marked."""


def marked(p_value: float) -> str:
    """Return a p-value as text, with * if it is significant."""
    return f"{p_value:.4f}{'*' if p_value < SIGNIFICANT else ''}"


def comparison_table(title: str, compared: Sequence[Comparison]) -> Table:
    """Return comparisons as a table."""
    return Table(
        title,
        ("this", "other", "difference", "better", "worse", "equal", "p"),
        [
            (one.measure, one.value, one.other, f"{one.difference:+.4f}", one.better, one.worse,
             one.equal, marked(one.p_value))
            for one in compared
        ],
        "Over the questions that both have; p by a two-sided paired randomisation test.",
    )  # fmt: skip


Values = Mapping[str, Mapping[str, float]]
"""Measure → question → value."""


def compare(values: Values, others: Values) -> list[Comparison]:
    """Compare the values of two runs over the same questions, measure by measure."""
    return [
        compare_values(measure, values[measure], others[measure])
        for measure in values
        if measure in others
    ]


def randomisation_test(differences: NDArray[np.float64]) -> float:
    """Return the p-value of paired differences, shape (questions,); 1 if none differs."""
    differences = differences[differences != 0]
    if len(differences) == 0:
        return 1.0
    # Sums that are equal on paper differ in their last bits.
    observed = abs(float(differences.sum())) - 1e-9
    if len(differences) <= EXACT_UP_TO:
        patterns = np.arange(2 ** len(differences))[:, None] >> np.arange(len(differences)) & 1
        return float(np.mean(np.abs((1 - 2 * patterns) @ differences) >= observed))
    random = np.random.default_rng(SEED)
    extreme = 0
    for _ in range(ROUNDS // _CHUNK):
        signs = random.integers(0, 2, (_CHUNK, len(differences)), dtype=np.int8) * 2 - 1
        extreme += int(np.sum(np.abs(signs @ differences) >= observed))
    return (extreme + 1) / (ROUNDS + 1)


def compare_values(
    measure: str, values: Mapping[str, float], others: Mapping[str, float]
) -> Comparison:
    """Compare one measure, question by question."""
    if values.keys() != others.keys():
        raise unusable("evaluation.invalid/other-run-questions")
    pairs = np.array([(values[question], others[question]) for question in values])
    differences = pairs[:, 0] - pairs[:, 1]
    return Comparison(
        measure=measure,
        value=float(pairs[:, 0].mean()),
        other=float(pairs[:, 1].mean()),
        p_value=randomisation_test(differences),
        better=int(np.sum(differences > 0)),
        worse=int(np.sum(differences < 0)),
        equal=int(np.sum(differences == 0)),
    )


SAMPLES = 1_000
LEVEL = 0.95

Rows = NDArray[np.int64]


def interval(
    questions: Sequence[str], value_of: Callable[[Rows], float | None], samples: int = SAMPLES
) -> tuple[float, float] | None:
    """Return the 95 % interval of a value, percentiles over samples drawn with replacement.

    Args:
        value_of: takes the places of rows; returns None where the value is not defined for them.

    Returns:
        None where there is one question only, or fewer than half of the samples have a value.
    """
    names = np.array(questions)
    members = [np.flatnonzero(names == one) for one in dict.fromkeys(questions)]
    if len(members) < 2:
        return None
    random = np.random.default_rng(SEED)
    drawn = []
    for _ in range(samples):
        chosen = random.integers(0, len(members), len(members))
        value = value_of(np.concatenate([members[one] for one in chosen]))
        if value is not None and np.isfinite(value):
            drawn.append(value)
    if len(drawn) < samples / 2:
        return None
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
