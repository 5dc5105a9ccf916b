"""Bring together what was found, by the fixed weights of the profile."""

from __future__ import annotations

from dataclasses import replace

from search.candidates import NO_CANDIDATES
from search.ranking.candidate_set import Ranking
from search.ranking.fusion import fuse
from search.ranking.steps.protocol import Search


def run(search: Search) -> Search:
    """Return the search with all candidates, without those of words run for documents alone."""
    alpha, results, votes = search.plan.alpha, search.results, search.recalled.candidates
    results = results if alpha else replace(results, lexical=NO_CANDIDATES)
    with search.timed("fuse"):
        fused = fuse(results, search.profile, alpha, votes, search.formulated)
    counts = {"lexical": len(results.lexical), "dense": len(results.dense)}
    counts |= {"votes": len(votes)} if search.recall else {}
    ordered = replace(search, results=results, fused=fused, ranking=Ranking.of(fused))
    return ordered.noted(candidates={**counts, "fused": len(fused)})
