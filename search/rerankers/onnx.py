"""Rerank with an ONNX cross-encoder on the CPU: no torch, no network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.encoders.batching import batches_by_length
from search.encoders.model_folder import RERANKER_CARD, ModelFolder, RerankerCard, read_folder
from search.encoders.onnx import TOKEN_BUDGET, default_threads, open_session
from search.errors import ModelError

PREFIX = "onnx"


class OnnxReranker:
    """A BERT-like cross-encoder, kept in a folder with its tokenizer and `reranker.json`.

    Threads may share one reranker. A passage's score does not depend on the passages beside it
    (but for rounding in the last bits of float32).
    """

    def __init__(self, model: str, threads: int | None = None, name: str | None = None) -> None:
        """Load the model.

        Args:
            model: folder that holds `model.onnx`, `tokenizer.json` and `reranker.json`.
            threads: CPU threads; `search.encoders.onnx.default_threads()` if None.
            name: what it is called; `onnx:` and the folder if None.

        Raises:
            ModelError: the folder's files cannot be read, were altered, or are no model.
        """
        self.name = name or f"{PREFIX}:{model}"
        content = read_folder(Path(model), RERANKER_CARD, RerankerCard)
        threads = threads or default_threads()
        try:
            self._tokenizer = load_tokenizer(content)
            self._session = open_session(content.model, threads)
        except Exception as error:  # the two libraries raise classes of their own, and bare ones
            raise ModelError(f"The reranker {self.name} cannot be loaded: {error}") from error

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one logit a passage, shape (passages,).

        Of question and passage together the longer is cut first.
        """
        pairs = [(whole(question), whole(passage)) for passage in passages]
        encoded = self._tokenizer.encode_batch(pairs) if pairs else []
        scores = np.zeros(len(passages), dtype=np.float32)
        for batch in batches_by_length([len(pair.ids) for pair in encoded], TOKEN_BUDGET):
            scores[batch] = self._run([encoded[index] for index in batch])
        return scores

    def _run(self, pairs: Sequence[Any]) -> NDArray[np.float32]:
        shape = (len(pairs), max(len(pair.ids) for pair in pairs))
        ids, mask, segments = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        for row, pair in enumerate(pairs):
            ids[row, : len(pair.ids)] = pair.ids
            mask[row, : len(pair.ids)] = 1
            segments[row, : len(pair.ids)] = pair.type_ids
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
        logits: NDArray[np.float32] = self._session.run(None, feed)[0][:, 0]
        return logits


def load_tokenizer(content: ModelFolder[Any]) -> Any:
    """Return the tokenizer of a model, which cuts at its length and does not pad."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(content.tokenizer)
    tokenizer.no_padding()
    tokenizer.enable_truncation(content.card.max_tokens, strategy="longest_first")
    return tokenizer


def whole(text: str) -> str:
    """Return a text without lone surrogates: they are no text, and tokenizers refuse them."""
    return text.encode("utf-8", "replace").decode("utf-8")
