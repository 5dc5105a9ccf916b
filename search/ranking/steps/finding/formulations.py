"""Search for other formulations of a question beside it.

A question in everyday words and the same in the words of a rulebook find different passages. Each
formulation is searched as a question of its own; what they find is a retriever beside the others.
It never replaces the question: a firm's own policies have words that no formulation knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from search.candidates import Candidates
from search.models.encoders.asking import encode_mean
from search.ranking.fusion import covered, fuse
from search.ranking.steps.protocol import Formulation, Search
from search.text.analyzer import words

LEAST_ALIKE = 0.2
"""Cosine of question and formulation below which it is about something else, and is left out."""

MOST = 3
"""Formulations of one question that are searched."""


def with_formulations(search: Search, texts: Sequence[str]) -> Search:
    """Return a question with what is to be searched beside it.

    Args:
        search: prepared but for this.
        texts: other words for it; what is about something else is left out.
    """
    if not texts:
        return search
    with search.timed("formulations"):
        found = tuple(_formulations(search, texts))
    plan = replace(search.plan, formulations=tuple(one.text for one in found))
    return replace(search, formulations=found, plan=plan)


def _formulations(search: Search, texts: Sequence[str]) -> Iterator[Formulation]:
    request = search.request
    for text in dict.fromkeys(" ".join(one.split()) for one in texts[:MOST]):
        terms = tuple(search.opened.terms_of([text]))
        if not terms:
            continue
        vector, alike = request.vector, 1.0
        if vector is not None:
            own = encode_mean(search.encoder, [text])
            vector, alike = own, float(vector @ own)
        if alike >= LEAST_ALIKE:
            alpha = search.profile.alpha_for(len(words(text)))
            asked = replace(request, tokens=terms, vector=vector)
            yield Formulation(text, asked, alpha, alike)


def run(search: Search) -> Search:
    """Return the search with what the formulations found together: the best of each, as deep as
    those of the question, with their mean scores; what one of them did not find has 0 there.
    """
    with search.timed("retrieve"):
        tables = [_found(search, one) for one in search.formulations]
    every = Candidates.joined(*tables)
    keys, first, place = np.unique(every.keys, return_index=True, return_inverse=True)
    scores = np.zeros(len(keys))
    np.add.at(scores, place, every.scores / len(tables))
    best = np.argsort(-scores, kind="stable")
    return replace(search, formulated=replace(every.at(first), scores=scores).at(best))


def _found(search: Search, asked: Formulation) -> Candidates:
    """Return what is found for a formulation, in the order of the fixed weights."""
    results, terms = search.opened.engine.run(asked.request), len(asked.request.tokens)
    alpha = covered(asked.alpha, search.profile.alpha_covered, results.lexical, terms)
    fused, depth = fuse(results, search.profile, alpha), slice(search.request.depth)
    return Candidates(fused.keys, fused.document_ids, fused.scores, fused.kinds).at(depth)
