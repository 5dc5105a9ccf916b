"""Say how likely each candidate answers, and whether any does, by the calibration of the profile.

Where it was not fitted, the plan says why, and the nearest vector alone tells of an answer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from search.ranking.learned.features import read_by_reranker
from search.ranking.learned.relevance import Relevance, load_relevance, signals_of
from search.ranking.steps.ordering.learned_order import not_fitted_for
from search.ranking.steps.protocol import Search

ELSEWHERE = (
    "relevance was calibrated on other documents; use it only to compare hits, and "
    "expect it to be too low"
)


def run(search: Search) -> Search:
    """Return the search with these probabilities.

    What a question names by number or asks to define is found by that, and no score judges it.
    """
    if search.trace.term is not None:
        return search
    with search.timed("judge"):
        by_score = search.judgement.features and not search.question.numbers
        return _calibrated(search) if by_score else search


def _calibrated(search: Search) -> Search:
    features, rerank = search.judgement.features, search.ranking.rerank
    retrievers, model = search.retrievers(), load_relevance(search.profile.relevance)
    calibration, fitted_for = model.calibration(retrievers), model.fitted_for
    search = search.noted(nearness=_nearness(search, model))
    reranker = search.opened.reranker.name if search.opened.reranker and rerank else ""
    words, depth = search.question.words, search.profile.depth
    reason = fitted_for.objection(search.revision, words, depth, reranker)
    if reason or calibration is None:
        return _by_nearness(search, f"no relevance: {reason or not_fitted_for(retrievers)}")
    size = len(features["fused"])
    known = signals_of(read_by_reranker(features, size, rerank))
    relevance = np.broadcast_to(calibration.relevance(known), (size,))
    search = replace(search, judgement=replace(search.judgement, relevance=relevance))
    if not fitted_for.knows(search.opened.names.titles):
        return _by_nearness(search, ELSEWHERE)
    return search.noted(answerable=calibration.answerable(known), answerable_by="calibration")


def _by_nearness(search: Search, note: str) -> Search:
    nearness, aside = search.trace.nearness, (*search.trace.stood_aside, note)
    by = "" if nearness is None else "nearness"
    return search.noted(answerable=nearness, answerable_by=by, stood_aside=aside)


def _nearness(search: Search, model: Relevance) -> float | None:
    """Estimate from the nearest vector alone if there is an answer, for the same encoder.

    One word is a subject, not a question: it is near to no passage, and the lexical retriever found
    it.
    """
    same_encoder = search.revision == model.fitted_for.encoder_revision
    if model.nearness is None or not same_encoder or search.terms == 1:
        return None
    return model.nearness.probability(signals_of(search.judgement.features)).item()
