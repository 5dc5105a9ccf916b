"""Say where a passage that is not in force is clearly nearer than all that are."""

from __future__ import annotations

from dataclasses import replace

from search.law_in_time import left_out
from search.ranking.steps.protocol import Search
from search.records import Filters

CLEARLY = 0.8
"""Share of the lexical score of a passage of the past that the best in force does not reach."""


def run(search: Search) -> Search:
    """Return the search with a note on that passage."""
    engine, request, results = search.opened.engine, search.request, search.results
    hidden = Filters({**request.filters.fields, **request.filters.excluded})
    with search.timed("retrieve"):
        past = engine.run(replace(request, filters=hidden, depth=1, documents=False))
    pairs = [(past.lexical, results.lexical, CLEARLY), (past.dense, results.dense, 1)]
    pairs = [pair for pair in pairs if len(pair[0])]
    if not pairs or any(
        len(now) and now.scores.max() >= share * gone.scores.max() for gone, now, share in pairs
    ):
        return search
    (passage,) = engine.passages(pairs[0][0].keys.tolist())
    note = f"{left_out(passage)}; it is nearer to the question than all that is in force"
    return replace(search, results=replace(results, notes=(*results.notes, note)))
