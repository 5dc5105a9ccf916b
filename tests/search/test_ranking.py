"""The order of candidates after each step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from candidates_by_name import candidate, name_of, retriever

from search.engines.protocol import RetrievalResults
from search.lookup.pins import Named
from search.ranking.candidate_set import FusedCandidates, Ranking
from search.ranking.fusion import fuse
from search.ranking.order import Ranked, best_after_named
from search.ranking.profile_file import load_profile
from search.records import Passage


@pytest.fixture
def fused() -> FusedCandidates:
    """Four candidates, a to d, with the scores 1, .75, .5 and 0."""
    profile = replace(load_profile("even"), document_weight=0.0)
    return fuse(RetrievalResults(lexical=retriever(a=8, b=7, c=6, d=4)), profile, alpha=1.0)


def shown(ranked: list[Ranked]) -> list[tuple[str, float]]:
    return [(name_of(one.key), one.score) for one in ranked]


def named(name: str, score: float) -> Named:
    return Named(candidate(name, 1.0), Passage(name, name, "1", "Text."), score)


def test_the_order_of_the_fusion_is_the_first(fused: FusedCandidates) -> None:
    ranking = Ranking.of(fused)
    assert shown(best_after_named(fused, ranking, 3, (), 1)) == [
        ("a", 1.0),
        ("b", 0.75),
        ("c", 0.5),
    ]
    assert [one.place for one in best_after_named(fused, ranking, 9, (), 1)] == [0, 1, 2, 3]


def test_what_a_step_did_not_look_at_follows_and_scores_no_higher(fused: FusedCandidates) -> None:
    ranking = Ranking.of(fused).reordered([0, 1], [0.3, 0.9])
    assert shown(best_after_named(fused, ranking, 4, (), 1)) == [
        ("b", 0.9),
        ("a", 0.3),
        ("c", 0.3),
        ("d", 0.0),
    ]


def test_a_step_that_looked_at_nothing_changes_nothing(fused: FusedCandidates) -> None:
    ranking = Ranking.of(fused)
    assert ranking.reordered([], []) is ranking


def test_named_passages_come_first_whether_a_retriever_proposed_them_or_not(
    fused: FusedCandidates,
) -> None:
    ranking = Ranking.of(fused)
    found = best_after_named(fused, ranking, 4, [named("c", 1.0), named("z", 0.9)], factor=0.5)
    assert shown(found) == [("c", 1.0), ("z", 0.9), ("a", 0.5), ("b", 0.375)]
    assert [(one.place, one.number) for one in found] == [
        (2, 1.0), (None, 0.9), (0, None), (1, None),
    ]  # fmt: skip
