"""Encoders and cross-encoders of sentence-transformers: `sentence-transformers:MODEL_OR_FOLDER`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.messages.refusals import no_reranker
from search.models.encoders.protocol import EncodedPassages, Vectors
from search.models.encoders.torch_models import (
    TEXTS_AT_ONCE,
    loading,
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
        with loading("encoder", self.name, "sentence_transformers"):
            from sentence_transformers import SentenceTransformer

            self._model = SentenceTransformer(model)
            limit = max_tokens(self._model.tokenizer, self._model.max_seq_length)
            self._model.max_seq_length = limit
            probe = self._model.encode_query(["probe"], show_progress_bar=False)
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
        with loading("reranker", self.name, "sentence_transformers"):
            from sentence_transformers import CrossEncoder
            from torch.nn import Identity

            self._model = CrossEncoder(model, activation_fn=Identity())
            _cut_long_pairs(self._model)
        if self._model.num_labels != 1:
            raise no_reranker(self.name, self._model.num_labels)

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one logit a passage, shape (passages,)."""
        if not passages:
            return np.zeros(0, dtype=np.float32)
        scores = self._model.predict(
            [(question, passage) for passage in passages],
            batch_size=TEXTS_AT_ONCE,
            show_progress_bar=False,
        )
        return np.asarray(scores, dtype=np.float32).reshape(-1)


def _cut_long_pairs(model: Any) -> None:
    """Bound question and passage together; of the two the longer is cut first."""
    # The setting was renamed in sentence-transformers 6; the old name draws a warning there.
    setting = "max_seq_length" if hasattr(type(model), "max_seq_length") else "max_length"
    setattr(model, setting, max_tokens(model.tokenizer, getattr(model, setting)))
