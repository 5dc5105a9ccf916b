"""Tell which unit answers a question: logistic regression over `features`.

The weights were fitted by `benchmarks.sentence_selector` on questions whose answering words are
known; they are in `selector.json`.
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


@dataclass(frozen=True, slots=True)
class Selector:
    """The weights of features, in the order of their names."""

    names: tuple[str, ...]
    weights: Array
    intercept: float

    @classmethod
    def of(cls, names: tuple[str, ...], data: Mapping[str, Any]) -> Selector:
        """Read weights; a name without one has none."""
        weights = data["weights"]
        values = np.array([float(weights.get(name, 0.0)) for name in names])
        return cls(names, values, float(data["intercept"]))

    def log_odds(self, features: Array) -> Array:
        """Return the log-odds that each unit holds the answer, shape (units,)."""
        return np.asarray(features @ self.weights + self.intercept)


@lru_cache(maxsize=2)
def selector(meaning: bool) -> Selector:
    """Return the selector that ships with rirag.

    Args:
        meaning: whether it is known how alike unit and question are in meaning.
    """
    data = json.loads(FILE.read_text(encoding="utf-8"))
    names = (*NAMES, *SEARCH_NAMES, *(MEANING_NAMES if meaning else ()))
    return Selector.of(names, data["with meaning" if meaning else "words alone"])
