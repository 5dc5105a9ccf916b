"""Search documents by themselves as well: those that a question names, or whose law it asks for."""

from __future__ import annotations

from dataclasses import replace

from search.ranking.steps.protocol import Search

NAMED_DEPTH = 50
"""Candidates of each retriever from the documents that are named, beside those of all."""


def run(search: Search) -> Search:
    """Return the search with the best candidates from these documents."""
    request, results = search.request, search.results
    few = replace(request, depth=min(NAMED_DEPTH, request.depth), documents=False)
    with search.timed("retrieve"):
        for ids in search.question.searched_apart():
            filters = request.filters.having(document_id=ids)
            own = search.opened.engine.run(replace(few, filters=filters))
            lexical, dense = results.lexical.merged(own.lexical), results.dense.merged(own.dense)
            results = replace(results, lexical=lexical, dense=dense)
    return replace(search, results=results)
