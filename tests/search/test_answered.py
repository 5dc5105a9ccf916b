"""Passages that answered earlier questions together, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.answered_questions.co_answers import NOTHING_ANSWERED, Answered, Together


def together(answered: Answered, keys: Sequence[int], best: Sequence[float]) -> Together:
    return answered.together(np.array(keys, np.int64), np.array(best, np.float64))


# Three answered questions: 1 answered all of them, 2 two of them, 3 one; 9 is no candidate.
THREE = Answered.of([0.9, 0.6, 0.3], [(1, 2), (1, 2, 3), (1, 9)])


def test_who_answered_with_the_best_is_credited_with_its_score() -> None:
    found = together(THREE, [1, 2, 3, 4], [0.5])
    assert found.similar == pytest.approx([0, 0.5 * 0.9, 0.5 * 0.6, 0])
    assert found.share == pytest.approx([0, 0.5 * 2 / 3, 0.5 * 1 / 3, 0])


def test_the_best_of_several_speaks_and_none_for_itself() -> None:
    found = together(THREE, [1, 2, 3], [0.5, 0.4])
    # 2 speaks for 1: both of its questions were answered by 1 too.
    assert found.similar == pytest.approx([0.4 * 0.9, 0.5 * 0.9, 0.5 * 0.6])
    assert found.share == pytest.approx([0.4 * 2 / 2, 0.5 * 2 / 3, 0.4 * 1 / 2])


def test_passages_may_stand_in_any_order() -> None:
    found = together(THREE, [3, 7, 1], [0.8])
    assert found.similar == pytest.approx([0, 0, 0.8 * 0.6])
    assert found.share == pytest.approx([0, 0, 0.8])


def test_without_answered_questions_or_shared_ones_nobody_speaks() -> None:
    for answered in (NOTHING_ANSWERED, Answered.of([0.9, 0.8], [(1,), (2,)])):
        found = together(answered, [1, 2], [1.0, 0.5])
        assert found.similar.tolist() == found.share.tolist() == [0, 0]
    assert together(THREE, [], []).share.shape == (0,)


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.lists(st.integers(0, 8), unique=True, max_size=5)),
        max_size=6,
    ),
    st.lists(st.floats(0, 1), max_size=9),
)
def test_what_is_said_is_what_the_definition_says(
    known: list[tuple[float, list[int]]], best: list[float]
) -> None:
    keys = list(range(9))
    found = together(Answered.of([one for one, _ in known], [one for _, one in known]), keys, best)
    for key in keys:
        similar, share = [0.0], [0.0]
        for head, score in enumerate(best):
            if head == key:
                continue
            answers = [one for one in known if head in one[1]]
            both = [one for one in answers if key in one[1]]
            similar += [score * similarity for similarity, _ in both]
            share += [score * len(both) / len(answers)] if answers else []
        assert found.similar[key] == pytest.approx(max(similar))
        assert found.share[key] == pytest.approx(max(share))
