"""Rerank with an ONNX cross-encoder on the CPU: no torch, no network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from search.models.encoders.model_folder import ModelFolder, RerankerCard
from search.models.encoders.onnx import open_model, run_batches, whole


class OnnxReranker:
    """A BERT-like cross-encoder, kept in a folder with its tokenizer and `reranker.json`.

    Threads may share one reranker. A passage's score does not depend on the passages beside it
    (but for rounding in the last bits of float32).
    """

    def __init__(
        self, content: ModelFolder[RerankerCard], name: str, threads: int | None = None
    ) -> None:
        """Open the model.

        Args:
            content: of its folder.
            name: what it is called.
            threads: CPU threads; `search.models.encoders.onnx.default_threads()` if None.

        Raises:
            ModelError: the files are not a model.
        """
        self.name = name
        self._tokenizer, self._session = open_model(content, f"reranker {name}", threads)

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one logit a passage, shape (passages,).

        Of question and passage together the longer is cut first.
        """
        encoded = self._tokenizer.encode_pairs(whole(question), [whole(one) for one in passages])
        scores = np.zeros(len(passages), dtype=np.float32)
        ids, segments = [pair.ids for pair in encoded], [pair.segments for pair in encoded]
        for batch, logits, _ in run_batches(self._session, ids, segments):
            scores[batch] = logits[:, 0]
        return scores
