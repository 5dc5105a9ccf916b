"""What headings lend to the passages behind them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from candidates_by_name import by_name, retriever

from search.candidates import Candidate, Candidates
from search.engines.protocol import RetrievalResults
from search.ranking.candidate_set import FusedCandidates
from search.ranking.fusion import fuse
from search.ranking.heading_propagation import HEADING_REACH, lenders
from search.ranking.profile_file import load_profile


def lent(keys: list[int], documents: list[int], headings: set[int], scores: list[float]) -> object:
    which = np.array([key in headings for key in keys], bool)
    found = lenders(np.array(keys, np.int64), np.array(documents, np.intp), which)
    return found.lent(np.array(scores)).tolist()


def test_a_heading_lends_less_to_what_stands_further_behind() -> None:
    keys = [3, 4, 5, 12, 13, 14, 2]
    given = lent(keys, [0] * 7, {3}, [0.8, 0, 0, 0, 0, 0, 0])
    assert given == pytest.approx([0, 0.8, 0.72, 0.16, 0.08, 0, 0])
    assert HEADING_REACH == 10


def test_the_last_heading_lends_and_none_lends_to_a_heading_or_another_document() -> None:
    keys, documents = [7, 1, 8, 2, 3, 4, 5, 6], [1, 0, 1, 0, 0, 0, 1, 1]
    scores = [0.1, 0.9, 0.2, 0.3, 0.5, 0.4, 0.6, 1.0]
    given = lent(keys, documents, {1, 3, 6}, scores)
    assert given == pytest.approx([1.0, 0, 0.9, 0.9, 0, 0.5, 0, 0])


def test_where_nothing_is_proposed_nothing_is_lent() -> None:
    assert lent([], [], set(), []) == []


def test_several_rows_of_scores_are_lent_alike() -> None:
    found = lenders(np.array([1, 2]), np.array([0, 0]), np.array([True, False]))
    assert found.lent(np.array([[0.5, 1.0], [0.25, 0.0]])).tolist() == [[0, 0.5], [0, 0.25]]


def fused(share: float) -> FusedCandidates:
    rows = [
        Candidate(1, "A", 9, "heading"), Candidate(9, "A", 10), Candidate(2, "A", 7),
        Candidate(20, "A", 0),
    ]  # fmt: skip
    profile = replace(load_profile("even"), heading_share=share, heading_weight=0.5)
    return fuse(RetrievalResults(Candidates.of(rows)), profile, alpha=1.0)


def test_a_share_of_it_joins_the_score_which_stays_below_one() -> None:
    found = {one.key: one for one in fused(0.2)}
    assert {key: one.heading for key, one in found.items()} == pytest.approx(
        {1: 0.0, 9: 0.9 * 0.3, 2: 0.9, 20: 0.0}
    )
    assert {key: one.score for key, one in found.items()} == pytest.approx(
        {1: 0.5 * 0.9, 9: 1.0, 2: 0.7 + 0.2 * 0.9, 20: 0.0}
    )


def test_without_a_share_nothing_is_lent() -> None:
    assert {one.heading for one in fused(0)} == {0.0}
    assert (
        by_name(fuse(RetrievalResults(retriever(a=1)), load_profile("even"), 1.0))["a"].heading
        == 0.0
    )
