"""Weights of passages and their shares of a context."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hits import make_hit, with_scores

from generation.advisor.shares import CUT_MARK, cut_to, shares_of, weighed_by, weights_of
from generation.llm.protocol import estimate_tokens

LONG = "A firm must pay. It must do so on time.\nIt may ask for delay. Nobody else may."


def test_weights_are_scores_over_their_sum() -> None:
    assert weights_of(with_scores([0.9, 0.6, 0.5])) == pytest.approx([0.45, 0.3, 0.25])
    assert weights_of(with_scores([0.0, 0.0])) == [0.5, 0.5]


def test_relevance_weighs_only_where_every_passage_has_one() -> None:
    hits = [
        replace(hit, relevance=r) for hit, r in zip(with_scores([1, 1]), (0.6, 0.2), strict=True)
    ]
    assert weights_of(hits) == pytest.approx([0.75, 0.25])
    assert weighed_by(hits) == "relevance"
    mixed = [hits[0], make_hit("x", score=1.0)]
    assert (weights_of(mixed), weighed_by(mixed)) == ([0.5, 0.5], "score")


def test_nothing_is_cut_while_there_is_room() -> None:
    assert shares_of([0.9, 0.1], [10, 80], 90) == [10, 80]


def test_what_a_short_passage_leaves_goes_to_the_others_by_weight() -> None:
    assert shares_of([0.5, 0.25, 0.25], [10, 100, 100], 110) == [10, 50, 50]
    assert shares_of([0.6, 0.4], [100, 100], 100) == [60, 40]
    assert shares_of([0.6, 0.4], [100, 100], 0) == [0, 0]
    assert shares_of([0.6, 0.4], [100, 100], -5) == [0, 0]


@pytest.mark.parametrize("budget", range(0, 60, 7))
def test_shares_never_add_up_to_more_than_there_is(budget: int) -> None:
    needs = [3, 0, 17, 40]
    shares = shares_of([0.1, 0.2, 0.3, 0.4], needs, budget)
    assert sum(shares) <= budget
    assert all(share <= need for share, need in zip(shares, needs, strict=True))


def test_a_text_is_cut_at_the_end_of_a_sentence_and_says_so() -> None:
    assert cut_to(LONG, estimate_tokens(LONG)) == LONG
    assert cut_to(LONG, estimate_tokens(LONG) - 1) == (
        f"A firm must pay. It must do so on time.\nIt may ask for delay. {CUT_MARK}"
    )
    assert cut_to(LONG, 9) == f"A firm must pay. {CUT_MARK}"
    assert cut_to(LONG, 3) == ""


@pytest.mark.parametrize("tokens", range(0, 30, 3))
def test_a_cut_text_fits(tokens: int) -> None:
    assert estimate_tokens(cut_to(LONG, tokens)) <= tokens
