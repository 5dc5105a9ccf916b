"""Recitals come after articles that are as good: they explain an act, and bind nobody."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from search.ranking.candidate_set import FusedCandidates, Ranking

RECITAL = 0.6
"""Factor on the score of a recital."""


def recitals_behind(fused: FusedCandidates, ranking: Ranking, acts: Collection[str]) -> Ranking:
    """Return the order with recitals behind what is as good.

    Args:
        fused: the candidates.
        ranking: their order.
        acts: DocumentIDs of acts of the European Union, whose guidance is their recitals.
    """
    is_recital = fused.guidance.take(ranking.places)
    if not is_recital.any():
        return ranking
    is_recital &= fused.are_of(acts, ranking.places)
    scores = np.where(is_recital, ranking.scores * RECITAL, ranking.scores)
    return ranking.reordered(ranking.places, scores)
