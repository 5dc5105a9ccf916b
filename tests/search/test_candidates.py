"""Columns of candidates: what goes in comes out again."""

from __future__ import annotations

import numpy as np

from search.candidates import NO_CANDIDATES, Candidate, Candidates

THREE = [
    Candidate(7, "A", 9.5, "heading"),
    Candidate(2, "B", 3.0),
    Candidate(16_777_216, "B", -0.5, "guidance"),
]


def test_candidates_come_out_as_they_went_in() -> None:
    assert list(Candidates.of(THREE)) == THREE
    assert Candidates.of(THREE)[2] == THREE[2]
    assert len(Candidates.of(THREE)) == 3


def test_some_places_keep_their_order() -> None:
    found = Candidates.of(THREE)
    assert list(found.at(np.array([2, 0]))) == [THREE[2], THREE[0]]
    assert list(found.at(np.array([True, False, True]))) == [THREE[0], THREE[2]]


def test_equal_are_those_with_the_same_candidates_in_the_same_order() -> None:
    assert Candidates.of(THREE) == Candidates.of(THREE)
    assert Candidates.of(THREE) != Candidates.of(reversed(THREE))
    assert Candidates.of(THREE) != THREE


def test_no_candidates_are_false() -> None:
    assert not NO_CANDIDATES
    assert Candidates.of([]) == NO_CANDIDATES
    assert Candidates.of(THREE)
