"""Growing gradient-boosted trees that tell what answers from what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from rirag_workbench.training.fitted.tree_export import exported
from search.errors import MissingDependencyError
from search.ranking.learned.decision_trees import DecisionTrees


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How trees are grown."""

    trees: int
    depth: int
    learning_rate: float
    least_in_leaf: int = 20
    l2: float = 5.0
    columns: float = 0.4
    """Share of the features that each split may choose from."""
    seed: int = 0


def grow_trees(
    rows: ArrayLike,
    answers: ArrayLike,
    weights: ArrayLike,
    columns: Sequence[int],
    settings: TreeSettings,
    purpose: str,
    directions: Sequence[int] | None = None,
) -> tuple[DecisionTrees, float]:
    """Fit trees; return them and the log-odds that they start from.

    Args:
        rows: features, shape (samples, columns).
        answers: whether a sample is an answer, shape (samples,).
        weights: of the samples, shape (samples,).
        columns: which column of the whole table each feature is.
        settings: of the trees.
        purpose: what cannot be done without scikit-learn.
        directions: 1 for features that can only speak for a sample, -1 for those that can only
            speak against it, 0 for others; None: all are free.

    Raises:
        MissingDependencyError: scikit-learn is not installed.
    """
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise MissingDependencyError(purpose, "train", workbench=True) from None
    model = HistGradientBoostingClassifier(
        max_iter=settings.trees,
        max_depth=settings.depth,
        learning_rate=settings.learning_rate,
        min_samples_leaf=settings.least_in_leaf,
        l2_regularization=settings.l2,
        max_features=settings.columns,
        monotonic_cst=directions,
        early_stopping=False,
        random_state=settings.seed,
    )
    # On a busy machine threads that wait for one another take ten times as long as one.
    with threadpool_limits(limits=1, user_api="openmp"):
        model.fit(rows, answers, weights)
    return exported(model, columns, settings.depth)
