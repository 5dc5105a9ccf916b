"""Intervals by resampling whole questions: answers to one question are not independent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.evaluation.significance import SEED

SAMPLES = 1_000
LEVEL = 0.95

Rows = NDArray[np.int64]


def interval(
    questions: Sequence[str], value_of: Callable[[Rows], float | None], samples: int = SAMPLES
) -> tuple[float, float] | None:
    """Return the 95 % interval of a value, percentiles over samples drawn with replacement.

    Args:
        questions: of each row.
        value_of: takes the places of rows; returns None where the value is not defined for them.
        samples: how many are drawn.

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
