"""An ensemble of small decision trees, evaluated with numpy: sum of one leaf a tree.

Each tree is kept as a complete binary tree of the same depth D in heap order: node i has the
children 2i + 1 and 2i + 2, the 2^D - 1 inner nodes come first, the 2^D leaves last. A branch that
ends early goes on with an inner node whose threshold nothing exceeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.errors import ModelError

Array = NDArray[np.float64]

NEVER = 1e30
"""Threshold of an inner node that only fills the tree up: everything goes to the first child."""

MAX_DEPTH = 10
"""Deepest tree that is read: a complete one has 2^D leaves, whatever it was grown from."""


class _Levels(NamedTuple):
    """The nodes of all trees level by level, the roots first; see `_levels`."""

    feature: list[NDArray[np.int64]]
    threshold: list[Array]
    value: list[Array]


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
        return np.asarray(self._levels.value[-1][self._path(rows)[-1]].sum(axis=1))

    def contributions(self, rows: Array) -> Array:
        """Return how much each feature moved the output, shape (rows, columns).

        A feature gets the change of the node mean at every node that looks at it (Saabas, 2014);
        the contributions of a row and `base` add up to its output.
        """
        path = self._path(rows)
        levels = self._levels
        values = [level[node] for level, node in zip(levels.value, path, strict=True)]
        looked_at = [level[node] for level, node in zip(levels.feature, path[:-1], strict=True)]
        cells = np.stack(looked_at) + np.arange(len(rows))[:, None] * rows.shape[1]
        moved = np.bincount(cells.ravel(), np.diff(values, axis=0).ravel(), rows.size)
        return np.asarray(moved.reshape(rows.shape))

    @property
    def base(self) -> float:
        """The output where nothing is known: the sum of the trees' means."""
        return float(self.value[:, 0].sum())

    @cached_property
    def _levels(self) -> _Levels:
        return _Levels(
            _levels(self.feature, self.depth),
            _levels(self.threshold, self.depth),
            _levels(self.value, self.depth + 1),
        )

    def _path(self, rows: Array) -> list[NDArray[np.int64]]:
        """Return the nodes that each row passes in each tree, root first, shape (rows, trees).

        A node is a place in its level of all trees, one tree after the other, so that the children
        of node i are 2i and 2i + 1 of the next level.
        """
        first = np.arange(len(rows))[:, None] * rows.shape[1]
        values = rows.ravel()
        path = [np.broadcast_to(np.arange(len(self.feature)), (len(rows), len(self.feature)))]
        for feature, threshold in zip(self._levels.feature, self._levels.threshold, strict=True):
            node = path[-1]
            path.append(2 * node + (values[first + feature[node]] > threshold[node]))
        return path

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
            ModelError: the lists are no complete trees over so many features.
        """
        try:
            feature = np.array(data["feature"], dtype=np.int64)
            threshold = np.array(data["threshold"], dtype=np.float64)
            value = np.array(data["value"], dtype=np.float64)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the trees cannot be read ({error}); fit the model again") from error
        inner = feature.shape[1] if feature.ndim == 2 else 0
        shapes_fit = threshold.shape == feature.shape and value.shape == (
            len(feature),
            2 * inner + 1,
        )
        complete = (inner + 1).bit_count() == 1 and 1 < inner + 1 <= 2**MAX_DEPTH
        if not (shapes_fit and complete):
            raise ModelError("the trees are not complete binary trees; fit the model again")
        if feature.min() < 0 or feature.max() >= columns:
            raise ModelError(f"a tree looks at a feature beyond the {columns}; fit the model again")
        if not (np.isfinite(threshold).all() and np.isfinite(value).all()):
            raise ModelError("a tree holds a value that is no number; fit the model again")
        return cls(feature, threshold, value)


def _levels(nodes: NDArray[Any], count: int) -> list[NDArray[Any]]:
    """Return the first levels, the root's first; in each, one tree after the other."""
    return [nodes[:, 2**level - 1 : 2 ** (level + 1) - 1].ravel() for level in range(count)]
