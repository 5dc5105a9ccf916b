"""The steps of a search in their order, each with the questions that take it.

They know each other's results only through `protocol.Search`, and nothing of the pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from search.provisions.jurisdictions import EU
from search.ranking.steps.finding import (
    abbreviations,
    apart,
    formulations,
    passages,
    past,
    synonyms,
    votes,
)
from search.ranking.steps.finishing import asked_for, calibration, pinned
from search.ranking.steps.ordering import (
    fused,
    law_of_states,
    learned_order,
    named_documents,
    other_words,
    recitals,
    rerank,
)
from search.ranking.steps.protocol import Search, Step

Planned = Sequence[tuple[Step, Callable[[Search], object]]]
"""Steps, and whether a prepared question takes them: what is true does."""

FINDING: Planned = (
    (abbreviations, lambda search: search.request.tokens),
    (synonyms, lambda search: search.opened.tuning.synonyms and search.request.tokens),
    (passages, lambda _: True),
    (apart, lambda search: search.question.searched_apart()),
    (past, lambda search: search.request.filters.excluded and not search.question.numbers),
    (formulations, lambda search: search.formulations),
    (votes, lambda search: search.recall),
)
"""What asks the engines."""
ORDERING: Planned = (
    (fused, lambda _: True),
    (learned_order, lambda search: search.profile.learned or search.profile.relevance),
    (rerank, lambda search: search.opened.reranker and search.profile.rerank_weight),
    (other_words, lambda search: search.formulations),
    (recitals, lambda search: EU in search.opened.names.by_law),
    (law_of_states, lambda search: search.question.law),
    (named_documents, lambda search: search.question.documents),
)
"""What orders the candidates by what was found."""
FINISHING: Planned = (
    (asked_for, lambda search: search.question.numbers or search.question.meaning.terms),
    (calibration, lambda search: search.profile.relevance),
    (pinned, lambda search: search.recall or search.opened.tuning.pins),
)
"""What people know better than any score, and how likely each hit answers."""


def planned(search: Search) -> frozenset[str]:
    """Return the names of the steps that a prepared question takes."""
    every = (*FINDING, *ORDERING, *FINISHING)
    return frozenset(name_of(step) for step, applies in every if applies(search))


def run(steps: Planned, search: Search) -> Search:
    """Return a search after those of some steps that it takes."""
    for step, _ in steps:
        search = step.run(search) if name_of(step) in search.steps else search
    return search


def name_of(step: Step) -> str:
    """Return the name of a step, as `Search.steps` has it: that of its module."""
    return step.__name__.rpartition(".")[2]
