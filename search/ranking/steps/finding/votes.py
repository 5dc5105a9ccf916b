"""Let the answered questions that resemble a question vote for what answered them."""

from __future__ import annotations

from dataclasses import replace

from search.ranking.fusion import votes_weight
from search.ranking.steps.protocol import Search, there
from search.trace import SimilarQuestion

SHOWN_NEIGHBOURS = 10
"""Answered questions that the plan names, of those that voted."""

GONE = (
    "answered questions are ignored: their opened index was replaced or deleted on the "
    "server; open the index again"
)


def run(search: Search) -> Search:
    """Return the search with the votes, or with a note where the questions are gone."""
    answered = there(search.opened.answered_questions)
    with search.timed("retrieve"):
        known = answered.ask(there(search.recall))
    if known is None:
        noted = replace(search.results, notes=(*search.results.notes, GONE))
        return replace(search, recall=None, results=noted)
    with search.timed("votes"):
        words, filters = search.question.words, search.request.filters
        recalled = answered.recall(known, words, filters, search.leave_out)
    similar = tuple(
        SimilarQuestion(one.question.id, one.question.text, one.similarity, one.question.passages)
        for one in recalled.neighbours[:SHOWN_NEIGHBOURS]
    )
    weight = votes_weight(search.profile, recalled.candidates)
    return replace(search, recalled=recalled).noted(votes_weight=weight, similar_questions=similar)
