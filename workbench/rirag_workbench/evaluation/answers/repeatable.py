"""Models that keep their probabilities in a file, so that an interrupted run continues."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rirag.files import sha256_of
from rirag_workbench.evaluation.judge.cache import Cache, key_of
from search.models.classifiers import Array, Classifier, Text


class RepeatableClassifier:
    """A classifier that is asked once for the same texts."""

    def __init__(self, model: Classifier, cache: Cache) -> None:
        self.name, self.labels = model.name, model.labels
        self._model, self._cache = model, cache
        self._weights = _weights_of(model.name)

    def probabilities(self, texts: Sequence[Text]) -> Array:
        """Return the probability of each label, shape (texts, labels)."""
        key = key_of(self.name, (*self.labels, *self._weights), [json.dumps(texts)])
        found = self._cache.get(key)
        if found is None:
            rows = self._model.probabilities(texts)
            if rows.size:
                self._cache.put(key, {"rows": rows.tolist()})
            return rows
        return np.array(found["rows"], dtype=np.float32)


def _weights_of(name: str) -> list[str]:
    """Return the hashes of the files of a local model, which may change under the same name."""
    folder = Path(name)
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return [sha256_of(file) for file in files if file.is_file()]
