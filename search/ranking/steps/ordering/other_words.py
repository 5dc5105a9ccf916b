"""Let what the formulations of a question found weigh in the order of its candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from search.ranking.steps.protocol import Search

ALIKE = 0.45
"""Cosine from which one counts in full; the weight of one below is that much smaller. Those that a
strong model wrote for 120 questions have .45 at the median and .3 at the tenth percentile; those
of other questions .15 to .3 at the median, and weights up to .3 do no harm then."""


def run(search: Search) -> Search:
    """Return the search in the order in which the formulations count too."""
    weight = weight_of([one.alike for one in search.formulations], search.profile.help_weight)
    fused, ranking = search.fused, search.ranking
    if not weight or not fused.help.proposed.any():
        return search
    found = fused.help.normalised[ranking.places] / (fused.help.normalised.max() or 1.0)
    scores = (1 - weight) * ranking.scores + weight * found
    return replace(search, ranking=ranking.reordered(ranking.places, scores))


def weight_of(alike: Sequence[float], most: float) -> float:
    """Return the weight of formulations, 0 to `most`.

    Args:
        alike: cosine of the question and each of them.
        most: weight of what says the same.
    """
    shares = [min(one / ALIKE, 1) for one in alike]
    return most * sum(shares) / len(shares) if shares else 0.0
