"""Ask the engine, and weigh the words of the question by how many of them the passages have."""

from __future__ import annotations

from dataclasses import replace

from search.ranking.fusion import covered
from search.ranking.steps.protocol import Search


def run(search: Search) -> Search:
    """Return the search with what the retrievers found."""
    with search.timed("retrieve"):
        results = search.opened.engine.run(search.request)
    plan, whole = search.plan, 0 if search.unread else search.plan.alpha_covered
    alpha = covered(plan.alpha, whole, results.lexical, search.terms)
    return replace(search, plan=replace(plan, alpha=alpha), results=results)
