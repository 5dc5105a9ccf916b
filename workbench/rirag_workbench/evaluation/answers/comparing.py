"""Two files of answers side by side, over the questions that both answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rirag.files import sha256_of
from rirag_workbench.evaluation.answers.measuring import Measured
from rirag_workbench.evaluation.judge.cache import Cache, key_of
from rirag_workbench.evaluation.significance import Comparison, compare_values
from search.errors import InputError
from search.models.classifiers import Array, Classifier, Text


def compare(measured: Measured, other: Measured) -> list[Comparison]:
    """Compare measure by measure, over the answers that have a value in both files.

    Raises:
        InputError: they have no question in common.
    """
    rows = _rows(measured, other, None)
    if not rows:
        raise InputError(
            "the two files of answers have no question in common.", code="evaluation.invalid"
        )
    return rows


def compare_by_class(measured: Measured, other: Measured) -> dict[str, list[Comparison]]:
    """Compare within each class of question; classes without a common question are left out."""
    names = dict.fromkeys(measured.classes.values())
    found = {name: _rows(measured, other, name) for name in sorted(names)}
    return {name: rows for name, rows in found.items() if rows}


def _rows(measured: Measured, other: Measured, of_class: str | None) -> list[Comparison]:
    rows = []
    for name, values in measured.values.items():
        others = other.values.get(name, {})
        common = [
            question
            for question in values
            if question in others
            and (of_class is None or measured.classes.get(question) == of_class)
        ]
        if common:
            ours = {question: values[question] for question in common}
            theirs = {question: others[question] for question in common}
            rows.append(compare_values(name, ours, theirs))
    return rows


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
