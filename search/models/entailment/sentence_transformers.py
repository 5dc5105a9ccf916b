"""NLI with a sentence-transformers `CrossEncoder` of three labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.errors import MissingDependencyError, ModelError
from search.models.encoders.torch_models import hide_weight_loading_bar
from search.models.entailment.protocol import LABELS

PREFIX = "sentence-transformers"
PAIRS_AT_ONCE = 32
LONGEST_PAIR = 512
"""Tokens of premise and hypothesis together; of the two the longer is cut first."""


class SentenceTransformersEntailment:
    """A cross-encoder that was trained on natural language inference."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Args:
            model: its name, or the folder it was saved to.

        Raises:
            MissingDependencyError: sentence-transformers is not installed.
            ModelError: the model cannot be loaded, or does not name the three labels.
        """
        self.name = f"{PREFIX}:{model}"
        if find_spec("sentence_transformers") is None:
            raise MissingDependencyError(f"The entailment model {self.name}", PREFIX)
        from sentence_transformers import CrossEncoder
        from torch.nn import Identity

        hide_weight_loading_bar()
        try:
            self._model = CrossEncoder(model, activation_fn=Identity(), max_length=LONGEST_PAIR)
        except Exception as error:  # the library raises whatever its many loaders raise
            message = f"The entailment model {self.name} cannot be loaded: {error}"
            raise ModelError(message, code="model.unloadable") from error
        self._columns = label_columns(self._model.config.id2label, self.name)

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the probability of each of `LABELS`, shape (pairs, 3)."""
        if not pairs:
            return np.zeros((0, len(LABELS)), dtype=np.float32)
        logits: Any = self._model.predict(
            list(pairs), batch_size=PAIRS_AT_ONCE, show_progress_bar=False
        )
        found = np.asarray(logits, dtype=np.float32).reshape(len(pairs), -1)[:, self._columns]
        exponents = np.exp(found - found.max(axis=1, keepdims=True))
        shares: NDArray[np.float32] = exponents / exponents.sum(axis=1, keepdims=True)
        return shares


def label_columns(names: Mapping[int, str], model: str) -> list[int]:
    """Return the column of each of `LABELS`; models put them in any order.

    Raises:
        ModelError: the model has other labels.
    """
    columns = {str(name).lower(): int(column) for column, name in names.items()}
    if set(columns) != set(LABELS):
        raise ModelError(
            f"{model} has the labels {', '.join(map(str, names.values()))}; an entailment model "
            f"has {', '.join(LABELS)}.",
            code="model.unsuitable",
        )
    return [columns[label] for label in LABELS]
