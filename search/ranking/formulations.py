"""Let other formulations of a question weigh in the order of its candidates.

A question in everyday words and the same in the words of a rulebook find different passages. Each
formulation is searched as a question of its own; what they find is a retriever beside the others.
It never replaces the question: a firm's own policies have words that no formulation knows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from search.candidates import NO_CANDIDATES, Candidates
from search.ranking.candidate_set import FusedCandidates, Ranking

LEAST_ALIKE = 0.2
"""Cosine of question and formulation below which it is about something else, and is left out."""

ALIKE = 0.45
"""Cosine from which one counts in full; the weight of one below is that much smaller. Those that a
strong model wrote for 120 questions have .45 at the median and .3 at the tenth percentile; those
of other questions .15 to .3 at the median, and weights up to .3 do no harm then."""

MOST = 3
"""Formulations of one question that are searched."""


def weight_of(alike: Sequence[float], most: float) -> float:
    """Return the weight of formulations, 0 to `most`.

    Args:
        alike: cosine of the question and each of them.
        most: weight of what says the same.
    """
    shares = [min(one / ALIKE, 1) for one in alike]
    return most * sum(shares) / len(shares) if shares else 0.0


def together(rankings: Sequence[FusedCandidates], depth: int) -> Candidates:
    """Return the best candidates of several formulations, each with its mean score.

    Args:
        rankings: of each formulation.
        depth: how many of each count.

    Returns:
        At most `depth` for each formulation, best first, scored 0 to 1; a passage that one of them
        did not find has 0 there.
    """
    if not rankings:
        return NO_CANDIDATES
    tables = [
        Candidates(one.keys, one.document_ids, one.scores, one.kinds).at(
            np.arange(len(one))[:depth]
        )
        for one in rankings
    ]
    keys = np.concatenate([table.keys for table in tables])
    every, first, place = np.unique(keys, return_index=True, return_inverse=True)
    scores = np.zeros(len(every))
    np.add.at(scores, place, np.concatenate([table.scores for table in tables]) / len(tables))
    order = np.argsort(-scores, kind="stable")
    documents = np.concatenate([table.document_ids for table in tables])
    kinds = np.concatenate([table.kinds for table in tables])
    return Candidates(every, documents[first], scores, kinds[first]).at(order)


def with_formulations(fused: FusedCandidates, ranking: Ranking, weight: float) -> Ranking:
    """Return the order in which what the formulations found counts too.

    Args:
        fused: all candidates.
        ranking: their order so far.
        weight: of the formulations, 0 to 1.
    """
    if not weight or not fused.help.proposed.any():
        return ranking
    best = fused.help.normalised.max() or 1.0
    found = fused.help.normalised[ranking.places] / best
    return ranking.reordered(ranking.places, (1 - weight) * ranking.scores + weight * found)
