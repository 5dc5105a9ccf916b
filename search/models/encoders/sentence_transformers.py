"""Encode with any sentence-transformers model: `sentence-transformers:MODEL_OR_FOLDER`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np

from search.errors import MissingDependencyError
from search.messages.refusals import unloadable_model
from search.models.encoders.protocol import EncodedPassages, Vectors
from search.models.encoders.torch_models import (
    TEXTS_AT_ONCE,
    hide_weight_loading_bar,
    max_tokens,
    token_counts,
    unit_length,
    weights_revision,
)

PREFIX = "sentence-transformers"
PASSAGE_PROMPTS = ("document", "passage", "corpus")
"""Names under which a model may keep its passage prompt, as `encode_document` looks for them."""


class SentenceTransformersEncoder:
    """A sentence-transformers model with the query and passage prompts it brings along."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Args:
            model: its name, or the folder it was saved to.

        Raises:
            MissingDependencyError: sentence-transformers is not installed.
            ModelError: the model cannot be loaded.
        """
        self.name = f"{PREFIX}:{model}"
        if find_spec("sentence_transformers") is None:
            raise MissingDependencyError(f"The encoder {self.name}", PREFIX)
        from sentence_transformers import SentenceTransformer

        hide_weight_loading_bar()
        try:
            self._model = SentenceTransformer(model)
            limit = max_tokens(self._model.tokenizer, self._model.max_seq_length)
            self._model.max_seq_length = limit
            probe = self._model.encode_query(["probe"], show_progress_bar=False)
        except Exception as error:  # the library raises whatever its many loaders raise
            raise unloadable_model("encoder", self.name, error) from error
        self._limit = limit
        self.dimension = int(probe.shape[1])
        prompts = self._model.prompts
        self._passage_prompt = next((prompts[n] for n in PASSAGE_PROMPTS if prompts.get(n)), "")
        self.revision = weights_revision(
            self._model.state_dict().items(), sorted(prompts.items()), limit, repr(self._model)
        )

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Encode questions with the model's query prompt."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit_length(
            self._model.encode_query(list(texts), batch_size=TEXTS_AT_ONCE, show_progress_bar=False)
        )

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        """Encode passages with the model's passage prompt, and tell which were cut off."""
        if not texts:
            return EncodedPassages(np.zeros((0, self.dimension), dtype=np.float32), ())
        vectors = self._model.encode_document(
            list(texts), batch_size=TEXTS_AT_ONCE, show_progress_bar=False
        )
        whole = [self._passage_prompt + text for text in texts]
        counts = token_counts(self._model.tokenizer, whole)
        return EncodedPassages(unit_length(vectors), tuple(n > self._limit for n in counts))
