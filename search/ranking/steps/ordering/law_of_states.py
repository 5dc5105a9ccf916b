"""Where a question names states, their law comes before that of others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from search.provisions.documents.by_state import LawAsked
from search.ranking.candidate_set import FusedCandidates, Ranking
from search.ranking.steps.protocol import Search, there

BESIDE, ELSEWHERE = 0.6, 0.3
"""Factors on the score of a passage where the question names states: of what is law there beside
their own, and of what is nobody's law where it does not ask about the own affairs; and of what is
law in other states alone."""

GUESSED = 0.95
"""The same for both, where the words of documents alone suggest whose law they are: a guess may
break a tie, and is wrong too often for more."""


def run(search: Search) -> Search:
    """Return the search with the law of other states behind."""
    law = there(search.question.law)
    ranking = law_there_first(search.fused, search.ranking, law)
    return replace(search, ranking=ranking).noted(law_of=law.states)


def law_there_first(fused: FusedCandidates, ranking: Ranking, law: LawAsked) -> Ranking:
    """Return the order with the law of other states behind that of the states that are named."""
    own, beside, elsewhere, guessed = (
        fused.are_of(ids, ranking.places)
        for ids in (law.own, law.beside, law.elsewhere, law.guessed)
    )
    less = beside if law.is_own_affair else ~(own | elsewhere)
    unsure = guessed if law.own - law.guessed else guessed | less
    factors = np.select(
        [unsure & (less | elsewhere), less, elsewhere], [GUESSED, BESIDE, ELSEWHERE], 1
    )
    return ranking.reordered(ranking.places, ranking.scores * factors)
