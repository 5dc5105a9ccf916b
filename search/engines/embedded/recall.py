"""How many of the nearest vectors the dense leg finds, measured against exact cosine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from search.engines.embedded.vectors import VectorIndex

ROUNDING = 1e-5
"""Two float32 sums of the same products, in another order, may differ by this: both are right."""

_ROWS_AT_ONCE = 16_384


def recall(index: VectorIndex, questions: int, depth: int) -> float:
    """Return the mean share of the `depth` nearest vectors that a search finds, 0 to 1.

    Of vectors that are as near as the last one, any counts.

    Args:
        index: the vectors of a generation.
        questions: how many of them, spread evenly, are asked for.
        depth: how many nearest vectors are compared.
    """
    count = len(index.rows)
    if not count:
        return 1.0
    asked = np.unique(np.linspace(0, count - 1, questions).astype(np.int64))
    vectors = index.slots(index.rows[asked]).astype(np.float32)
    wanted = min(depth, count)
    shares = []
    for vector, floor in zip(vectors, _last_cosines(index, vectors, wanted), strict=True):
        found, _ = index.search(vector, wanted)
        cosines = index.slots(found).astype(np.float32) @ vector
        shares.append(np.count_nonzero(cosines >= floor - ROUNDING) / wanted)
    return float(np.mean(shares))


def _last_cosines(
    index: VectorIndex, vectors: NDArray[np.float32], wanted: int
) -> NDArray[np.float32]:
    """Return each question's exact cosine with its `wanted`-th nearest vector."""
    best = np.empty((len(vectors), 0), np.float32)
    for start in range(0, len(index.rows), _ROWS_AT_ONCE):
        some = index.slots(index.rows[start : start + _ROWS_AT_ONCE]).astype(np.float32)
        best = np.concatenate([best, vectors @ some.T], axis=1)
        if best.shape[1] > wanted:
            best = -np.partition(-best, wanted - 1, axis=1)[:, :wanted]
    last: NDArray[np.float32] = best.min(axis=1)
    return last
