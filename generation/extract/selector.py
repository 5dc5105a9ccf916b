"""Estimate which unit answers a question: logistic regression over `features`.

The weights are in `selector.json`, with the data and figures of their fit under `fitted`.
`python -m benchmarks.sentence_selector` fits such a file to an index and its questions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from generation.extract.features import MEANING_NAMES, NAMES, SEARCH_NAMES, Array

FILE = Path(__file__).with_name("selector.json")

MEANING, WORDS = "with meaning", "words alone"
"""The two sets of weights in a file: for units that were compared with the question in meaning, and
for the others."""


@dataclass(frozen=True, slots=True)
class Selector:
    """The weights of features, in the order of their names."""

    names: tuple[str, ...]
    weights: Array
    intercept: float

    @classmethod
    def read(cls, path: Path, meaning: bool) -> Selector:
        """Read the weights of a file.

        Args:
            path: JSON in the form of `FILE`.
            meaning: whether it is known how alike unit and question are in meaning.
        """
        data = json.loads(path.read_text(encoding="utf-8"))
        return cls.of(names_of(meaning), data[MEANING if meaning else WORDS])

    @classmethod
    def of(cls, names: tuple[str, ...], data: Mapping[str, Any]) -> Selector:
        """Read weights; a name without one has none."""
        weights = data["weights"]
        values = np.array([float(weights.get(name, 0.0)) for name in names])
        return cls(names, values, float(data["intercept"]))

    def log_odds(self, features: Array) -> Array:
        """Return the log-odds that each unit holds the answer, shape (units,)."""
        return np.asarray(features @ self.weights + self.intercept)


def names_of(meaning: bool) -> tuple[str, ...]:
    """Return the names of the features, in the order of the columns."""
    return (*NAMES, *SEARCH_NAMES, *(MEANING_NAMES if meaning else ()))


@lru_cache(maxsize=2)
def selector(meaning: bool) -> Selector:
    """Return the selector that ships with rirag.

    Args:
        meaning: whether it is known how alike unit and question are in meaning.
    """
    return Selector.read(FILE, meaning)
