"""Models that keep their probabilities in a file, so that an interrupted run continues."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np

from rirag.evaluation.judge.cache import Cache, key_of
from search.models.classifiers import Array, Classifier, Text
from search.models.entailment import EntailmentModel


class RepeatableClassifier:
    """A classifier that is asked once for the same texts."""

    def __init__(self, model: Classifier, cache: Cache) -> None:
        self.name, self.labels = model.name, model.labels
        self._model, self._cache = model, cache

    def probabilities(self, texts: Sequence[Text]) -> Array:
        """Return the probability of each label, shape (texts, labels)."""
        key = key_of(self.name, self.labels, [json.dumps(texts)])
        return _kept(self._cache, key, lambda: self._model.probabilities(texts))


class RepeatableEntailment:
    """An entailment model that is asked once for the same pairs."""

    def __init__(self, model: EntailmentModel, cache: Cache) -> None:
        self.name = model.name
        self._model, self._cache = model, cache

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return the probability of each of the three labels, shape (pairs, 3)."""
        key = key_of(self.name, (), [json.dumps(pairs)])
        return _kept(self._cache, key, lambda: self._model.probabilities(pairs))


def _kept(cache: Cache, key: str, ask: Callable[[], Array]) -> Array:
    found = cache.get(key)
    if found is None:
        rows = ask()
        if rows.size:
            cache.put(key, {"rows": rows.tolist()})
        return rows
    kept: Array = np.array(found["rows"], dtype=np.float32)
    return kept
