"""Entailment models: premise and hypothesis in, three probabilities out.

They know nothing of passages, statements or answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from search.errors import ModelError
from search.models.classifiers import PREFIX, Classifier, load_classifier


class ClassifierEntailment:
    """A cross-encoder that was trained on natural language inference."""

    def __init__(self, model: Classifier) -> None:
        """Take a classifier.

        Raises:
            ModelError: it does not have the three labels.
        """
        self.name = f"{PREFIX}:{model.name}"
        self._model = model
        self._columns = label_columns(model.labels, self.name)

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the probability of each of `LABELS`, shape (pairs, 3)."""
        return self._model.probabilities(pairs)[:, self._columns]


def label_columns(names: Sequence[str], model: str) -> list[int]:
    """Return the column of each of `LABELS`; models have them in any order.

    Raises:
        ModelError: the model has other labels.
    """
    found = [name.lower() for name in names]
    if sorted(found) != sorted(LABELS):
        raise ModelError(
            f"{model} has the labels {', '.join(names)}; an entailment model has "
            f"{', '.join(LABELS)}.",
            code="model.unsuitable",
        )
    return [found.index(label) for label in LABELS]


LABELS = ("entailment", "neutral", "contradiction")
"""The columns of what a model returns."""


class EntailmentModel(Protocol):
    """A cross-encoder for natural language inference (NLI)."""

    @property
    def name(self) -> str:
        """The name that `search.models.entailment.load_entailment` understands."""
        ...

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the probability of each of `LABELS`, shape (pairs, 3); rows add up to 1."""
        ...


def load_entailment(
    name: str, load: Callable[[str], Classifier] = load_classifier
) -> EntailmentModel:
    """Load an entailment model by name.

    Args:
        name: as `load_classifier` takes it.
        load: returns the classifier of three labels that it is.

    Raises:
        InputError: there is no name.
        MissingDependencyError: the library is not installed.
        ModelError: it cannot be loaded, or is not an entailment model.
    """
    return ClassifierEntailment(load(name))
