"""NLI with a text classifier of three labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from search.errors import ModelError
from search.models.classifiers import PREFIX, Classifier
from search.models.entailment.protocol import LABELS


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
