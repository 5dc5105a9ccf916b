"""The area under the receiver operating characteristic."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def auroc(positive: Iterable[float], negative: Iterable[float]) -> float:
    """Return how often a positive is above a negative, ties counted half (Mann and Whitney)."""
    above, below = np.array(list(positive)), np.array(list(negative))
    if not len(above) or not len(below):
        return float("nan")
    wins = (above[:, None] > below).sum() + 0.5 * (above[:, None] == below).sum()
    return float(wins / (len(above) * len(below)))
