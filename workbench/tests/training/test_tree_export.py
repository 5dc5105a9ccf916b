"""Trees taken out of scikit-learn say what scikit-learn says."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from extras import require

from rirag_workbench.training.fitted.tree_growth import exported

pytestmark = pytest.mark.torch

DEPTH = 3


def grown(rows: np.ndarray, answers: np.ndarray, **settings: Any) -> Any:
    boosting = require("sklearn.ensemble").HistGradientBoostingClassifier
    return boosting(max_iter=25, max_depth=DEPTH, early_stopping=False, **settings).fit(
        rows, answers
    )


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    rows = random.random((600, 4))
    rows[:, 3] = np.round(rows[:, 3] * 3)
    noisy = rows[:, 0] + rows[:, 1] * rows[:, 2] + random.normal(scale=0.2, size=600)
    return rows, noisy > 0.8


def test_the_trees_give_the_decision_function(data: tuple[np.ndarray, np.ndarray]) -> None:
    rows, answers = data
    model = grown(rows, answers)
    trees, bias = exported(model, range(4), DEPTH)
    assert bias + trees.output(rows) == pytest.approx(model.decision_function(rows), abs=1e-9)


def test_features_are_found_in_the_whole_table(data: tuple[np.ndarray, np.ndarray]) -> None:
    rows, answers = data
    model = grown(rows, answers)
    wide = np.zeros((600, 9))
    wide[:, [7, 2, 0, 5]] = rows
    trees, bias = exported(model, [7, 2, 0, 5], DEPTH)
    assert bias + trees.output(wide) == pytest.approx(model.decision_function(rows), abs=1e-9)
    assert set(np.flatnonzero(trees.contributions(wide).any(axis=0))) <= {0, 2, 5, 7}


def test_inner_nodes_hold_the_mean_of_what_passed_through(
    data: tuple[np.ndarray, np.ndarray],
) -> None:
    rows, answers = data
    trees, _ = exported(grown(rows, answers), range(4), DEPTH)
    assert trees.base == pytest.approx(trees.output(rows).mean(), abs=1e-9)


def test_written_and_read_they_say_the_same(data: tuple[np.ndarray, np.ndarray]) -> None:
    rows, answers = data
    trees, _ = exported(grown(rows, answers), range(4), DEPTH)
    again = type(trees).from_json(json.loads(json.dumps(trees.to_json())), 4)
    assert again.output(rows).tolist() == trees.output(rows).tolist()
