"""Rerank by comparing the tokens of question and passage: no torch, no network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.models.encoders.batching import batches_by_length
from search.models.encoders.model_folder import Card, ModelFolder
from search.models.encoders.onnx import TOKEN_BUDGET, open_model, whole

Tokens = NDArray[np.float32]
"""Unit vectors of the tokens of a text, shape (tokens, dimension)."""


class LateInteractionReranker:
    """An encoder whose tokens are compared: one trained for it, or any in a folder of its own.

    The score of a passage is the mean, over the tokens of the question, of the best cosine with a
    token of the passage (Khattab and Zaharia 2020, "ColBERT", section 3.3, by the number of
    tokens): -1 to 1. The markers around a text do not count.

    Threads may share one reranker. A passage's score does not depend on the passages beside it
    (but for rounding in the last bits of float32).
    """

    def __init__(self, content: ModelFolder[Card], name: str, threads: int | None = None) -> None:
        """Open the model.

        Args:
            content: of its folder.
            name: what it is called.
            threads: CPU threads; `search.models.encoders.onnx.default_threads()` if None.

        Raises:
            ModelError: the files are no model.
        """
        self.name = name
        self._tokenizer, self._session = open_model(content, f"reranker {name}", threads)

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one score a passage, -1 to 1, shape (passages,); 0 for a text without tokens.

        What exceeds the model's length is cut off.
        """
        if not passages:
            return np.zeros(0, dtype=np.float32)
        asked, *written = self._tokens([question, *passages])
        return np.array([_likeness(asked, passage) for passage in written], dtype=np.float32)

    def _tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the vectors of the tokens of each text."""
        encoded = [text.ids for text in self._tokenizer.encode([whole(t) for t in texts])]
        vectors: list[Tokens] = [np.zeros((0, 0), dtype=np.float32)] * len(texts)
        for batch in batches_by_length([len(ids) for ids in encoded], TOKEN_BUDGET):
            states = self._run([encoded[index] for index in batch])
            for index, state in zip(batch, states, strict=True):
                inner = state[1 : len(encoded[index]) - 1]
                vectors[index] = inner / np.linalg.norm(inner, axis=1, keepdims=True)
        return vectors

    def _run(self, texts: Sequence[Sequence[int]]) -> Any:
        """Return the states of the tokens, shape (texts, tokens, dimension)."""
        shape = (len(texts), max(len(ids) for ids in texts))
        ids, mask = (np.zeros(shape, dtype=np.int64) for _ in range(2))
        for row, text in enumerate(texts):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        return self._session.run(None, {"input_ids": ids, "attention_mask": mask})[0]


def _likeness(question: Tokens, passage: Tokens) -> float:
    """Return the mean over the question's tokens of the best cosine with one of the passage."""
    if not len(question) or not len(passage):
        return 0.0
    return float((question @ passage.T).max(axis=1).mean())
