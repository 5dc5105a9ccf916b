"""Interpolate a reranker's opinion with the score so far."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from search.fusion import min_max
from search.records import LegScore
from search.rerankers.protocol import Reranker


def rerank(
    reranker: Reranker, question: str, texts: Sequence[str], before: Sequence[float], weight: float
) -> list[tuple[int, float, LegScore]]:
    """Return (place before, new score, the reranker's score), best first.

    The new score is (1 - weight)·before + weight·min-max of the reranker's scores; ties keep
    the order before.

    Args:
        reranker: the reranker.
        question: what is asked.
        texts: candidates, best first.
        before: their scores so far, 0 to 1.
        weight: 0 leaves the order, 1 lets the reranker decide alone.
    """
    if not texts:
        return []
    raw = [float(score) for score in reranker.score(question, texts)]
    if len(raw) != len(texts):
        raise ValueError(f"{reranker.name} returned {len(raw)} scores for {len(texts)} passages")
    if not np.all(np.isfinite(raw)):
        raise ValueError(f"{reranker.name} returned a score that is no number")
    normalised = min_max(raw).tolist()
    place = {i: rank for rank, i in enumerate(sorted(range(len(raw)), key=lambda i: -raw[i]), 1)}
    scores = [(1 - weight) * before[i] + weight * normalised[i] for i in range(len(texts))]
    scored = [
        (i, score, LegScore(raw[i], normalised[i], place[i])) for i, score in enumerate(scores)
    ]
    return sorted(scored, key=lambda one: -one[1])
