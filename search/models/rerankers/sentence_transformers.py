"""Rerank with a sentence-transformers `CrossEncoder`: `sentence-transformers:MODEL_OR_FOLDER`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.errors import MissingDependencyError
from search.messages.refusals import no_reranker, unloadable_model
from search.models.encoders.torch_models import hide_weight_loading_bar, max_tokens

PREFIX = "sentence-transformers"
PAIRS_AT_ONCE = 32


class SentenceTransformersReranker:
    """A cross-encoder with one output; its scores are raw logits."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Args:
            model: its name, or the folder it was saved to.

        Raises:
            MissingDependencyError: sentence-transformers is not installed.
            ModelError: the model cannot be loaded, or gives several scores a pair.
        """
        self.name = f"{PREFIX}:{model}"
        if find_spec("sentence_transformers") is None:
            raise MissingDependencyError(f"The reranker {self.name}", PREFIX)
        from sentence_transformers import CrossEncoder
        from torch.nn import Identity

        hide_weight_loading_bar()
        try:
            self._model = CrossEncoder(model, activation_fn=Identity())
            _cut_long_pairs(self._model)
        except Exception as error:  # the library raises whatever its many loaders raise
            raise unloadable_model("reranker", self.name, error) from error
        if self._model.num_labels != 1:
            raise no_reranker(self.name, self._model.num_labels)

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one logit a passage, shape (passages,)."""
        if not passages:
            return np.zeros(0, dtype=np.float32)
        scores = self._model.predict(
            [(question, passage) for passage in passages],
            batch_size=PAIRS_AT_ONCE,
            show_progress_bar=False,
        )
        return np.asarray(scores, dtype=np.float32).reshape(-1)


def _cut_long_pairs(model: Any) -> None:
    """Bound question and passage together; of the two the longer is cut first."""
    # The setting was renamed in sentence-transformers 6; the old name draws a warning there.
    setting = "max_seq_length" if hasattr(type(model), "max_seq_length") else "max_length"
    setattr(model, setting, max_tokens(model.tokenizer, getattr(model, setting)))
