"""Trees by hand: which leaf a row falls into, and what moved it there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from search.errors import ModelError
from search.ranking.learned.decision_trees import NEVER, DecisionTrees

# Two trees of depth 2. The first asks column 0, then column 1 on both sides; the second ends after
# one question of column 1.
TREES = DecisionTrees(
    feature=np.array([[0, 1, 1], [1, 0, 0]]),
    threshold=np.array([[0.5, 0.2, 0.8], [0.5, NEVER, NEVER]]),
    value=np.array([[0.0, -1.0, 2.0, -2.0, 0.5, 1.0, 3.0], [0.1, 0.0, 0.4, 0.0, 0.0, 0.4, 0.4]]),
)


@pytest.mark.parametrize(
    ("row", "output"),
    [((0.0, 0.0), -2.0 + 0.0), ((0.0, 0.3), 0.5 + 0.0), ((1.0, 0.7), 1.0 + 0.4),
     ((1.0, 0.9), 3.0 + 0.4), ((0.5, 0.2), -2.0 + 0.0)],
)  # fmt: skip
def test_a_row_gets_the_sum_of_its_leaves(row: tuple[float, float], output: float) -> None:
    assert TREES.output(np.array([row])) == pytest.approx([output])


def test_each_feature_is_credited_with_the_changes_at_its_own_nodes() -> None:
    moved = TREES.contributions(np.array([[1.0, 0.9]]))[0]
    assert moved == pytest.approx([2.0, (3.0 - 2.0) + (0.4 - 0.1)])


def test_contributions_and_base_add_up_to_the_output() -> None:
    random = np.random.default_rng(3)
    trees = DecisionTrees(
        random.integers(0, 5, (20, 7)), random.random((20, 7)), random.normal(size=(20, 15))
    )
    rows = random.random((50, 5))
    assert trees.base + trees.contributions(rows).sum(axis=1) == pytest.approx(trees.output(rows))


def test_no_rows_give_no_output() -> None:
    assert TREES.output(np.zeros((0, 2))).shape == (0,)
    assert TREES.contributions(np.zeros((0, 2))).shape == (0, 2)


def test_trees_survive_json() -> None:
    again = DecisionTrees.from_json(TREES.to_json(), columns=2)
    rows = np.random.default_rng(1).random((30, 2))
    assert again.depth == 2
    assert again.output(rows) == pytest.approx(TREES.output(rows))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"feature": [[0, 1, 2], [0, 1, 1]]}, "a feature beyond the 2"),
        ({"feature": [[0, 1], [0, 1]]}, "not complete binary trees"),
        ({"feature": []}, "not complete binary trees"),
        ({"threshold": [[0.5, "x", 0.1], [0.5, 0.1, 0.1]]}, "cannot be read"),
        ({"value": [[1.0] * 7, [float("nan")] * 7]}, "not a number"),
        ({"value": [[1.0] * 7, [1.0] * 6]}, "cannot be read"),
    ],
)
def test_what_is_no_tree_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        DecisionTrees.from_json(TREES.to_json() | change, columns=2)
