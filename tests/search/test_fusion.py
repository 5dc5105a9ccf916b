"""Fusion by hand: every rule that `search.ranking.fusion` writes down, and its formulas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from candidates_by_name import by_name, candidate, retriever
from hypothesis import given
from hypothesis import strategies as st

from search.candidates import Candidates
from search.engines.protocol import RetrievalResults
from search.ranking.candidate_set import FusedCandidates
from search.ranking.fusion import HEADING_MEASURE, RRF_K, covered, fuse, min_max
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.records import Kind, RetrieverScore


def profile(document_weight: float = 0.0, fusion: str = "convex", heading: float = 1) -> Profile:
    return replace(
        load_profile("even"), document_weight=document_weight, fusion=fusion, heading_weight=heading
    )


def scores(fused: FusedCandidates) -> dict[str, float]:
    return {name: pytest.approx(one.score) for name, one in by_name(fused).items()}


def order(fused: FusedCandidates) -> list[str]:
    return list(by_name(fused))


def test_min_max_puts_the_best_at_one_and_the_last_at_zero() -> None:
    assert min_max([4.0, 3.0, 2.0]).tolist() == [1.0, 0.5, 0.0]
    assert min_max(np.array([0.5, -0.5, -0.3])) == pytest.approx(np.array([1.0, 0.0, 0.2]))
    assert min_max([]).tolist() == []


@pytest.mark.parametrize("raw", [[7.0], [0.0], [-0.4], [2.0, 2.0, 2.0]])
def test_candidates_that_all_tie_get_one_each(raw: list[float]) -> None:
    assert min_max(raw).tolist() == [1.0] * len(raw)


def test_retrievers_are_weighed_by_alpha() -> None:
    results = RetrievalResults(
        lexical=retriever(a=10, b=8, c=6), dense=retriever(c=0.9, a=0.5, d=0.1)
    )
    assert scores(fuse(results, profile(), alpha=0.7)) == {
        "a": 0.7 * 1.0 + 0.3 * 0.5,
        "b": 0.7 * 0.5,
        "c": 0.3 * 1.0,
        "d": 0.0,
    }


@pytest.mark.parametrize(
    ("best", "terms", "whole", "alpha"),
    [
        (12.0, 4, 3.0, 0.6),  # each word is there
        (30.0, 4, 3.0, 0.6),
        (6.0, 4, 3.0, 0.3),  # half of them are
        (6.0, 8, 3.0, 0.15),
        (6.0, 8, 0.0, 0.6),  # the profile does not ask
        (0.0, 4, 3.0, 0.0),
    ],
)
def test_words_that_the_passages_do_not_have_weigh_less(
    best: float, terms: int, whole: float, alpha: float
) -> None:
    assert covered(0.6, whole, retriever(a=best, b=best / 2), terms) == pytest.approx(alpha)
    assert covered(0.6, whole, retriever(), terms) == 0.6


def test_a_candidate_that_a_retriever_did_not_propose_scores_there_as_the_last_one() -> None:
    results = RetrievalResults(lexical=retriever(a=5, b=4), dense=retriever(a=0.9, b=0.5, c=0.5))
    fused = by_name(fuse(results, profile(), alpha=0.5))
    assert fused["b"].score == fused["c"].score
    assert fused["b"].lexical == RetrieverScore(4, 0.0, 2)
    assert fused["c"].lexical is None


def test_a_retriever_without_candidates_contributes_nothing() -> None:
    only_dense = fuse(RetrievalResults(dense=retriever(a=0.9, b=0.1)), profile(), alpha=0.7)
    assert scores(only_dense) == {"a": 0.3, "b": 0.0}
    only_lexical = fuse(RetrievalResults(lexical=retriever(a=9, b=1)), profile(), alpha=0.7)
    assert scores(only_lexical) == {"a": 0.7, "b": 0.0}
    assert not len(fuse(RetrievalResults(), profile(0.1), alpha=0.7))


def test_a_single_candidate_of_a_retriever_scores_one_there() -> None:
    results = RetrievalResults(lexical=retriever(a=0.001), dense=retriever(b=0.9, a=0.1))
    assert scores(fuse(results, profile(), alpha=0.6)) == {"a": 0.6, "b": 0.4}


def test_equal_scores_keep_the_order_of_the_lexical_retriever_then_of_the_dense_retriever() -> None:
    results = RetrievalResults(
        lexical=retriever(b=2, z=1, y=1), dense=retriever(a=0.8, x=0.2, w=0.2)
    )
    assert order(fuse(results, profile(), alpha=0.5)) == ["b", "a", "z", "y", "x", "w"]


def test_the_scores_behind_a_candidate_are_kept_raw_normalised_and_ranked() -> None:
    results = RetrievalResults(
        lexical=retriever(a1=10, b1=8, c1=6),
        dense=retriever(c1=0.9, a1=0.1),
        documents=(("c", 30), ("a", 10)),
    )
    found = by_name(fuse(results, profile(0.1), alpha=0.5))
    assert found["b1"].lexical == RetrieverScore(8, 0.5, 2)
    assert found["b1"].dense is None
    assert found["b1"].document is None
    assert found["c1"].dense == RetrieverScore(0.9, 1.0, 1)
    assert found["a1"].document == RetrieverScore(10, 0.0, 2)
    assert found["a1"].document_id == "a"


def test_the_document_score_joins_with_its_own_weight() -> None:
    results = RetrievalResults(
        lexical=retriever(a1=10, a2=8, b1=6, c1=5),
        dense=retriever(b1=0.9, a1=0.4, c1=0.1),
        documents=(("b", 30.0), ("a", 15.0), ("x", 10.0)),
    )
    # a1: S = .5·1 + .5·.375, b1: S = .5·.2 + .5·1, and b's document is the best: 20/20.
    assert scores(fuse(results, profile(0.1), alpha=0.5)) == {
        "a1": 0.9 * (0.5 * 1.0 + 0.5 * 0.375) + 0.1 * 0.25,
        "a2": 0.9 * (0.5 * 0.6) + 0.1 * 0.25,
        "b1": 0.9 * (0.5 * 0.2 + 0.5 * 1.0) + 0.1 * 1.0,
        "c1": 0.0,
    }


def test_a_bare_heading_counts_less_and_is_ranked_by_it() -> None:
    lexical = Candidates.of([candidate("a", 10, "heading"), *retriever(b=9, c=0)])
    results = RetrievalResults(lexical=lexical, documents=(("a", 2.0), ("b", 1.0)))
    assert scores(fuse(results, profile(0.1, heading=0.7), alpha=1.0)) == {
        "b": 0.9 * 1.0,
        "a": 0.7 * (0.9 * 1.0 + 0.1 * 1.0),
        "c": 0.0,
    }
    assert order(fuse(results, profile(0.1, heading=0.7), alpha=1.0)) == ["b", "a", "c"]


def test_the_others_are_measured_by_their_own_best_where_a_heading_is_a_little_ahead() -> None:
    lexical = Candidates.of([candidate("a", 12, "heading"), *retriever(b=10, c=5, d=0)])
    dense = Candidates.of([*retriever(b=0.8), candidate("a", 0.6, "heading"), *retriever(c=0.4)])
    found = by_name(fuse(RetrievalResults(lexical, dense), profile(heading=0.7), alpha=0.5))
    assert [found[name].lexical for name in "abcd"] == [
        RetrieverScore(12, 1.0, 1), RetrieverScore(10, 1.0, 2),
        RetrieverScore(5, 0.5, 3), RetrieverScore(0, 0.0, 4),
    ]  # fmt: skip
    assert found["a"].dense == RetrieverScore(0.6, pytest.approx(0.5), 2)
    assert found["b"].score == 1.0


@pytest.mark.parametrize(
    ("kinds", "weight", "normalised"),
    [
        (("heading", "rule", "rule"), 1.0, (1.0, 0.5, 0.0)),
        (("heading", "rule", "rule"), 0.9, (1.0, 0.5 / HEADING_MEASURE, 0.0)),
        (("heading", "heading", "rule"), 0.9, (1.0, 0.5 / HEADING_MEASURE, 0.0)),
        (("heading", "heading", "heading"), 0.9, (1.0, 0.5, 0.0)),
    ],
)
def test_a_heading_far_ahead_is_the_measure_with_a_share_and_in_full_where_it_counts_in_full(
    kinds: tuple[Kind, ...], weight: float, normalised: tuple[float, ...]
) -> None:
    rows = zip("abc", (10, 5, 0), kinds, strict=True)
    lexical = Candidates.of([candidate(*row) for row in rows])
    found = by_name(fuse(RetrievalResults(lexical), profile(heading=weight), alpha=1.0))
    given = tuple(found[name].lexical.normalised for name in "abc")
    assert given == pytest.approx(normalised)


def test_without_document_scores_the_passage_scores_stand_as_they_are() -> None:
    results = RetrievalResults(lexical=retriever(a=2, b=1), dense=retriever(a=0.2, b=0.1))
    assert scores(fuse(results, profile(0.1), alpha=0.5)) == {"a": 1.0, "b": 0.0}


def test_one_document_for_all_moves_all_alike() -> None:
    results = RetrievalResults(lexical=retriever(a1=2, a2=1), documents=(("a", 3.0),))
    assert scores(fuse(results, profile(0.2), alpha=1.0)) == {"a1": 1.0, "a2": 0.2}


def test_reciprocal_ranks_count_places_and_not_scores() -> None:
    results = RetrievalResults(lexical=retriever(a=1000, b=999, c=1), dense=retriever(c=0.9, a=0.1))
    first = RRF_K + 1
    assert scores(fuse(results, profile(fusion="rrf"), alpha=0.5)) == {
        "a": 0.5 + 0.5 * first / (RRF_K + 2),
        "b": 0.5 * first / (RRF_K + 2),
        "c": 0.5 * first / (RRF_K + 3) + 0.5,
    }


Scores = st.dictionaries(
    st.sampled_from("abcdefgh"), st.floats(-1e6, 1e6, allow_subnormal=False), max_size=8
)


@given(Scores, Scores, st.floats(0, 1), st.floats(0, 1), st.sampled_from(["convex", "rrf"]))
def test_every_candidate_comes_once_best_first_between_zero_and_one(
    lexical: dict[str, float], dense: dict[str, float], alpha: float, weight: float, fusion: str
) -> None:
    results = RetrievalResults(
        lexical=retriever(**dict(sorted(lexical.items(), key=lambda pair: -pair[1]))),
        dense=retriever(**dict(sorted(dense.items(), key=lambda pair: -pair[1]))),
        documents=(("a", 3.0), ("b", 1.0)),
    )
    fused = fuse(results, profile(weight, fusion), alpha)
    assert sorted(order(fused)) == sorted(lexical.keys() | dense.keys())
    assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)
    assert all(-1e-9 <= one.score <= 1 + 1e-9 for one in fused)
