"""Recitals come after articles that are as good: they explain an act, and bind nobody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from search.provisions.jurisdictions import EU
from search.ranking.steps.protocol import Search

RECITAL = 0.6
"""Factor on the score of a recital."""


def run(search: Search) -> Search:
    """Return the search with the guidance of acts of the European Union behind."""
    fused, ranking, acts = search.fused, search.ranking, search.opened.names.by_law[EU]
    is_recital = fused.guidance.take(ranking.places)
    if not is_recital.any():
        return search
    is_recital &= fused.are_of(acts, ranking.places)
    scores = np.where(is_recital, ranking.scores * RECITAL, ranking.scores)
    return replace(search, ranking=ranking.reordered(ranking.places, scores))
