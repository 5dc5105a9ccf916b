"""Tests, intervals and samples are exact where they can be counted by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rirag_workbench.evaluation.retrieval.run import Evaluation
from rirag_workbench.evaluation.statistics import compare, randomisation_test, spread
from search.errors import InputError


def evaluation(*values: float, first: str = "q0") -> Evaluation:
    names = [first, *(f"q{n}" for n in range(1, len(values)))]
    return Evaluation({"R@10": dict(zip(names, values, strict=True))}, {})


def test_few_differences_are_counted_out() -> None:
    # Of the 2^5 sign patterns only all plus and all minus are as extreme.
    assert randomisation_test(np.array([0.1, 0.2, 0.3, 0.1, 0.5])) == 2 / 32
    differences = np.array([0.5, -0.25, 1.0, 0.3])
    sums = [abs(np.dot(signs, differences)) for signs in product((1, -1), repeat=4)]
    extreme = sum(total >= abs(differences.sum()) - 1e-9 for total in sums)
    assert randomisation_test(differences) == extreme / 16


def test_questions_that_do_not_differ_change_nothing() -> None:
    differences = np.array([0.1, 0.2, 0.3])
    assert randomisation_test(np.concatenate([differences, np.zeros(1000)])) == 2 / 8


def test_equal_runs_have_p_one() -> None:
    assert randomisation_test(np.zeros(20)) == 1.0


def test_random_patterns_agree_with_the_normal_approximation() -> None:
    # 100 differences of ±1, 60 of them plus: the mean is 2 standard deviations off.
    differences = np.array([1.0] * 60 + [-1.0] * 40)
    exact = 0.0569  # two-sided binomial, P(|X - 50| ≥ 10)
    assert randomisation_test(differences) == pytest.approx(exact, abs=0.006)


def test_clear_difference_is_significant_and_repeatable() -> None:
    differences = np.random.default_rng(1).normal(0.1, 0.2, 200)
    assert randomisation_test(differences) < 0.001
    assert randomisation_test(differences) == randomisation_test(differences)


def test_comparison_counts_better_worse_and_equal() -> None:
    row = compare(evaluation(1.0, 0.5, 0.0, 1.0).values, evaluation(0.5, 0.0, 0.25, 1.0).values)[0]
    assert (row.better, row.worse, row.equal) == (2, 1, 1)
    assert (row.value, row.other) == (0.625, 0.4375)
    assert row.difference == pytest.approx(0.1875)
    assert 0 < row.p_value <= 1


def test_order_of_questions_does_not_matter() -> None:
    one = Evaluation({"R@10": {"a": 1.0, "b": 0.0}}, {})
    two = Evaluation({"R@10": {"b": 0.0, "a": 1.0}}, {})
    assert compare(one.values, two.values)[0].equal == 2


def test_different_questions_are_refused() -> None:
    with pytest.raises(InputError, match="the same questions"):
        compare(evaluation(1.0, 0.5).values, evaluation(1.0, 0.5, first="other").values)


def test_a_limit_leaves_no_part_of_a_file_out() -> None:
    assert spread(range(100), 4) == [0, 25, 50, 75]
    assert spread(range(10), 3) == [0, 3, 6]
    assert spread([1, 2], 4) == [1, 2]
    assert spread([1, 2], None) == [1, 2]
