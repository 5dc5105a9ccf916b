"""Growing gradient-boosted trees that tell what answers from what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rirag_workbench.training.fitted.candidate_samples import CandidateSample
from search.errors import MissingDependencyError
from search.json_form import Record
from search.ranking.learned.decision_trees import NEVER, DecisionTrees
from search.ranking.learned.features import NAMES


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
        directions: 1 for features that can only speak for a sample, -1 for those that can only
            speak against it, 0 for others; None: all are free.
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


def exported(model: Any, columns: Sequence[int], depth: int) -> tuple[DecisionTrees, float]:
    """Return the trees and the log-odds that they start from."""
    inner = 2**depth - 1
    grown = [stage[0].nodes for stage in model._predictors]
    feature = np.zeros((len(grown), inner), dtype=np.int64)
    threshold = np.full((len(grown), inner), NEVER)
    value = np.zeros((len(grown), 2 * inner + 1))
    for tree, nodes in enumerate(grown):
        means = _means(nodes)
        _fill(nodes, means, columns, feature[tree], threshold[tree], value[tree])
    return DecisionTrees(feature, threshold, value), float(np.ravel(model._baseline_prediction)[0])


def _means(nodes: Any) -> list[float]:
    """Return the mean leaf of the training rows that passed through each node.

    Inner nodes of scikit-learn's trees hold values from before the learning rate.
    """
    means = [float(one) for one in nodes["value"]]
    # Children come after their parents.
    for place in reversed(range(len(nodes))):
        if not nodes["is_leaf"][place]:
            both = [int(nodes[side][place]) for side in ("left", "right")]
            counts = [float(nodes["count"][child]) for child in both]
            means[place] = sum(
                means[child] * count for child, count in zip(both, counts, strict=True)
            ) / sum(counts)
    return means


def _fill(
    nodes: Any, means: Sequence[float], columns: Sequence[int],
    feature: Any, threshold: Any, value: Any,
) -> None:  # fmt: skip
    """Copy one tree into heap order; a leaf above the last row is repeated below itself."""
    waiting = [(0, 0)]
    while waiting:
        place, node = waiting.pop()
        value[place] = means[node]
        if place >= len(feature):
            continue
        if nodes["is_leaf"][node]:
            waiting += [(2 * place + 1, node), (2 * place + 2, node)]
            continue
        feature[place] = columns[int(nodes["feature_idx"][node])]
        threshold[place] = float(nodes["num_threshold"][node])
        waiting += [
            (2 * place + 1, int(nodes["left"][node])),
            (2 * place + 2, int(nodes["right"][node])),
        ]


RISING = (
    "lexical", "lexical share", "dense", "document", "document's share", "memory", "fused",
    "fused beside", "fused near", "lexical near", "dense near", "memory near", "together similar",
    "together share",
)  # fmt: skip
"""Features that can only speak for a candidate."""

FALLING = (
    "lexical rank", "cosine below best", "dense rank", "document rank", "memory rank", "fused rank",
    "fused below best",
)  # fmt: skip
"""Features that can only speak against it."""

FREE = ("heading",)

USED = tuple(name for name in NAMES if name in {*RISING, *FALLING, *FREE})
"""What the trees look at: everything that is a share, a rank or a distance within the question.
Left out are absolute scores and features of the whole question, which moved validation by less
than .002 and would tie the trees to one rulebook's scores (docs/learned-fusion.md)."""


@dataclass(frozen=True, slots=True)
class BoostingSettings(Record, TreeSettings):
    """How trees are grown. Depths of 2 to 4 and 100 to 400 trees validate within .004."""

    trees: int = 120
    depth: int = 3
    learning_rate: float = 0.08


def grow(
    samples: Sequence[CandidateSample], settings: BoostingSettings
) -> tuple[DecisionTrees, float]:
    """Fit trees to tell the candidates that answer; return them and where they start from.

    They grow from questions as they were asked: what short ones made of these teach beside them
    costs the long ones half a point (docs/learned-fusion.md). They are monotone in all features but
    `heading`: with few questions a tree would otherwise learn exceptions that the next rulebook
    does not have.
    """
    useful = learned_from(samples)
    columns = [NAMES.index(name) for name in USED]
    direction = [1 if name in RISING else -1 if name in FALLING else 0 for name in USED]
    rows = np.vstack([one.rows for one in useful])[:, columns]
    answers = np.concatenate([one.answers for one in useful])
    return grow_trees(
        rows, answers, np.ones(len(rows)), columns, settings, "Fitting learned ranking", direction
    )


def learned_from(samples: Sequence[CandidateSample]) -> list[CandidateSample]:
    """Return the samples that trees grow from."""
    return [one for one in samples if one.kind == "question" and one.answers.any()]
