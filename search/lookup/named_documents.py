"""The documents that a question asks to be answered from: their nearest passages come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from search.candidates import Candidates
from search.engines.protocol import Engine, RetrievalRequest, RetrievalResults
from search.law_in_time import found_with
from search.lookup.pins import BESIDE_NAMED
from search.provisions.documents.by_state import LawAsked
from search.provisions.documents.names import DocumentNames
from search.ranking.candidate_set import FusedCandidates, Ranking
from search.records import Filters

NAMED_DEPTH = 50
"""Candidates of each retriever from the documents that are named, beside those of all."""

LED = 3
LED_ALONE = 7
"""Passages of each of several documents that are raised, and of a single one: so the first ten have
room for what others say where the document leaves it open."""

LEAST_SHARE = 0.2
"""Of the best score: a document whose best passage is below has nothing on the subject. Not where
several are named: the words of one name are nearer to that document than to the others."""

BESIDE, ELSEWHERE = 0.6, 0.3
"""Factors on the score of a passage where the question names states: of what is law there beside
their own, and of what is nobody's law where it does not ask about the own affairs; and of what is
law in other states alone."""

GUESSED = 0.95
"""The same for both, where the words of documents alone suggest whose law they are: a guess may
break a tie, and is wrong too often for more."""

Groups = Sequence[tuple[str, ...]]
"""For each document that is named, the DocumentIDs that its name may mean."""


def with_candidates_of(
    engine: Engine, request: RetrievalRequest, results: RetrievalResults, ids: tuple[str, ...]
) -> RetrievalResults:
    """Return what the retrievers found with their best candidates from some documents."""
    filters = request.filters.having(document_id=ids)
    depth = min(NAMED_DEPTH, request.depth)
    own = engine.run(replace(request, filters=filters, depth=depth, documents=False))
    return replace(
        results,
        lexical=_merged(results.lexical, own.lexical),
        dense=_merged(results.dense, own.dense),
    )


def _merged(found: Candidates, more: Candidates) -> Candidates:
    fresh = more.at(~np.isin(more.keys, found.keys))
    both = Candidates(
        np.concatenate([found.keys, fresh.keys]),
        np.concatenate([found.document_ids, fresh.document_ids]),
        np.concatenate([found.scores, fresh.scores]),
        np.concatenate([found.kinds, fresh.kinds]),
    )
    return both.at(np.lexsort((both.keys, -both.scores)))


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
