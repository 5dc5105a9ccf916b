"""The documents that a question asks to be answered from: their nearest passages come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from search.engines.protocol import Engine
from search.law_in_time import found_with
from search.lookup.pins import BESIDE_NAMED
from search.provisions.documents.names import DocumentNames
from search.ranking.candidate_set import FusedCandidates, Ranking
from search.ranking.steps.protocol import Search
from search.records import Filters

LED = 3
LED_ALONE = 7
"""Passages of each of several documents that are raised, and of a single one: so the first ten have
room for what others say where the document leaves it open."""

LEAST_SHARE = 0.2
"""Of the best score: a document whose best passage is below has nothing on the subject. Not where
several are named: the words of one name are nearer to that document than to the others."""

Groups = Sequence[tuple[str, ...]]
"""For each document that is named, the DocumentIDs that its name may mean."""


def run(search: Search) -> Search:
    """Return the search with their passages first, and notes on documents without any."""
    opened, question = search.opened, search.question
    ranking, silent = documents_first(search.fused, search.ranking, question.documents)
    notes = silent_documents(opened.engine, opened.names, silent, question.filters)
    return replace(search, ranking=ranking).noted(*notes)


def documents_first(
    fused: FusedCandidates, ranking: Ranking, groups: Groups
) -> tuple[Ranking, list[tuple[str, ...]]]:
    """Return the order with the best passage of each document first, and documents without any.

    That passage gets the best score of all, and the next ones of its document their share of it;
    the scores of all others fall below the answer's floor.
    """
    if not len(fused):
        return ranking, list(groups)
    scores, best = ranking.scores * BESIDE_NAMED, ranking.scores.max()
    least = LEAST_SHARE * best if len(groups) == 1 else 0.0
    silent = []
    led = LED_ALONE if len(groups) == 1 else LED
    for group in groups:
        own = np.flatnonzero(fused.are_of(group, ranking.places))[:led]
        if not len(own) or ranking.scores[own[0]] <= least:
            silent.append(group)
        else:
            scores[own] = best * ranking.scores[own] / ranking.scores[own[0]]
    if len(silent) == len(groups):
        return ranking, silent
    return ranking.reordered(ranking.places, scores), silent


def silent_documents(
    engine: Engine, names: DocumentNames, groups: Groups, filters: Filters
) -> list[str]:
    """Return a sentence for each document that is named and has nothing near to the question."""
    notes = []
    for group in groups:
        why = "has no passage near it"
        if filters.excluded and not engine.find(filters.having(document_id=group), 1):
            hidden = engine.find(Filters({**filters.fields, "document_id": group}), 1)
            why = f"is {found_with(hidden[0][1])}" if hidden else why
        of = "the hits are from other documents"
        notes.append(f"the question names {names.title(group[0])}, which {why}; {of}")
    return notes
