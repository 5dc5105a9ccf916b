"""An ensemble of small decision trees, evaluated with numpy: sum of one leaf a tree.

Each tree is kept as a complete binary tree of the same depth D in heap order: node i has the
children 2i + 1 and 2i + 2, the 2^D - 1 inner nodes come first, the 2^D leaves last. A branch that
ends early continues an inner node whose threshold nothing exceeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.errors import ModelError

Array = NDArray[np.float64]

NEVER = 1e30
"""Threshold of an inner node that only fills the tree up: everything goes to the first child."""

MAX_DEPTH = 10
"""Deepest tree that is read: a complete one has 2^D leaves, whatever it was grown from."""


class _Conditions(NamedTuple):
    """What the inner nodes of all trees ask, each question once: many trees ask the same."""

    feature: NDArray[np.int64]
    """Shape (conditions,)."""
    threshold: Array
    """Shape (conditions, 1)."""
    asked: NDArray[np.intp]
    """Which condition a node asks, shape (inner nodes of a tree, trees)."""


class _Level(NamedTuple):
    """Inner nodes of all trees that are equally far from their roots, one tree after the other."""

    feature: NDArray[np.int64]
    change: Array
    """By how much the mean of a child is above that of its node: the children of the node at place
    i are at 2i and 2i + 1, shape (nodes of the next level,)."""


@dataclass(frozen=True)
class DecisionTrees:
    """Trees of one depth."""

    feature: NDArray[np.int64]
    """Column that an inner node looks at, shape (trees, 2^D - 1)."""
    threshold: Array
    """A row goes to the second child where its value is above; shape (trees, 2^D - 1)."""
    value: Array
    """Leaf: what it adds to the output. Inner node: the mean of that over the training rows that
    passed through. Shape (trees, 2^(D + 1) - 1)."""

    @property
    def depth(self) -> int:
        """How many inner nodes a row passes."""
        return int(self.feature.shape[1] + 1).bit_length() - 1

    def output(self, rows: Array) -> Array:
        """Return the sum of the leaves that each row falls into, shape (rows,).

        Args:
            rows: features, shape (rows, columns).
        """
        *_, leaf = self._path(rows)
        return np.asarray(self._leaves.take(leaf.T).sum(axis=1))

    def contributions(self, rows: Array) -> Array:
        """Return how much each feature moved the output, shape (rows, columns).

        A feature gets the change of the node mean at every node that looks at it (Saabas, 2014);
        the contributions of a row and `base` add up to its output.
        """
        first, path = np.arange(len(rows)) * rows.shape[1], list(self._path(rows))
        cells, changes = [], []
        for level, (node, child) in zip(self._levels, pairwise(path), strict=True):
            cells.append(first + level.feature.take(node))
            changes.append(level.change.take(child))
        moved = np.bincount(np.ravel(cells), np.ravel(changes), rows.size)
        return np.asarray(moved.reshape(rows.shape))

    @property
    def base(self) -> float:
        """The output where nothing is known: the sum of the trees' means."""
        return float(self.value[:, 0].sum())

    @cached_property
    def looked_at(self) -> list[int]:
        """The columns that any node looks at."""
        found: list[int] = np.unique(self.feature).tolist()
        return found

    @cached_property
    def _conditions(self) -> _Conditions:
        nodes = np.stack([self.feature.T, self.threshold.T])
        found, asked = np.unique(nodes.reshape(2, -1), axis=1, return_inverse=True)
        feature, threshold = found[0].astype(np.int64), found[1][:, None]
        return _Conditions(feature, threshold, asked.reshape(nodes.shape[1:]))

    @cached_property
    def _levels(self) -> list[_Level]:
        """The levels of inner nodes, the roots first."""
        features, means = _by_level(self.feature), _by_level(self.value)
        changes = [below - np.repeat(above, 2) for above, below in pairwise(means)]
        return [_Level(*level) for level in zip(features, changes, strict=True)]

    @cached_property
    def _leaves(self) -> Array:
        return _by_level(self.value)[-1]

    def _turns(self, rows: Array) -> list[NDArray[np.bool_]]:
        """Return for each level whether a row turns to the second child, shape (trees, rows)."""
        feature, threshold, asked = self._conditions
        holds = (rows.T.take(feature, axis=0) > threshold).take(asked, axis=0)
        turns: list[NDArray[np.bool_]] = []
        for level in range(self.depth):
            # Of the answers of all nodes of a level, each turn before it leaves one half.
            answers = holds[2**level - 1 : 2 ** (level + 1) - 1]
            for turn in turns:
                first, second = answers[: len(answers) // 2], answers[len(answers) // 2 :]
                answers = first ^ ((first ^ second) & turn)  # several times as fast as np.where
            turns.append(answers[0])
        return turns

    def _path(self, rows: Array) -> Iterator[NDArray[np.int32]]:
        """Yield the node of each level that each row passes in each tree, the root first.

        A node is a place in its level (see `_Level`); the shape is (trees, rows), of the root
        (trees, 1).
        """
        node = np.arange(len(self.feature), dtype=np.int32)[:, None]
        yield node
        for turn in self._turns(rows):
            node = 2 * node + turn
            yield node

    def to_json(self) -> dict[str, Any]:
        """Return plain lists, with every digit: a threshold may be just a value that occurs."""
        return {
            "feature": self.feature.tolist(),
            "threshold": self.threshold.tolist(),
            "value": self.value.tolist(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any], columns: int) -> DecisionTrees:
        """Read what `to_json` gave.

        Args:
            data: the lists.
            columns: how many features there are.

        Raises:
            ModelError: the lists are not complete trees over so many features.
        """
        try:
            feature = np.array(data["feature"], dtype=np.int64)
            threshold = np.array(data["threshold"], dtype=np.float64)
            value = np.array(data["value"], dtype=np.float64)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(
                f"the trees cannot be read ({error}); fit the model again", code="model.unloadable"
            ) from error
        inner = feature.shape[1] if feature.ndim == 2 else 0
        shapes_fit = threshold.shape == feature.shape and value.shape == (
            len(feature),
            2 * inner + 1,
        )
        complete = (inner + 1).bit_count() == 1 and 1 < inner + 1 <= 2**MAX_DEPTH
        if not (shapes_fit and complete):
            raise ModelError(
                "the trees are not complete binary trees; fit the model again",
                code="model.unloadable",
            )
        if feature.min() < 0 or feature.max() >= columns:
            raise ModelError(
                f"a tree uses a feature beyond the {columns} available; fit the model again",
                code="model.unloadable",
            )
        if not (np.isfinite(threshold).all() and np.isfinite(value).all()):
            raise ModelError(
                "a tree contains a value that is not a number; fit the model again",
                code="model.unloadable",
            )
        return cls(feature, threshold, value)


def _by_level(nodes: NDArray[Any]) -> list[NDArray[Any]]:
    """Return levels of nodes in heap order, the roots first; in each, one tree after the other."""
    count = (nodes.shape[1] + 1).bit_length() - 1
    return [nodes[:, 2**level - 1 : 2 ** (level + 1) - 1].ravel() for level in range(count)]
