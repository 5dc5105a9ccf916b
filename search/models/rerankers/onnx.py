"""Rerank with an ONNX cross-encoder on the CPU: no torch, no network."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from search.models.encoders.model_folder import ModelFolder, RerankerCard
from search.models.encoders.onnx import TOKEN_BUDGET, batches_by_length, open_model, whole
from search.models.tokenizer import Tokens


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
        for batch in batches_by_length([len(pair.ids) for pair in encoded], TOKEN_BUDGET):
            scores[batch] = self._run([encoded[index] for index in batch])
        return scores

    def _run(self, pairs: Sequence[Tokens]) -> NDArray[np.float32]:
        shape = (len(pairs), max(len(pair.ids) for pair in pairs))
        ids, mask, segments = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        for row, pair in enumerate(pairs):
            ids[row, : len(pair.ids)] = pair.ids
            mask[row, : len(pair.ids)] = 1
            segments[row, : len(pair.ids)] = pair.segments
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
        logits: NDArray[np.float32] = self._session.run(None, feed)[0][:, 0]
        return logits
