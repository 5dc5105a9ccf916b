"""Rerank with a BGE reranker through FlagEmbedding: `flagembedding:MODEL_OR_FOLDER`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.errors import MissingDependencyError
from search.messages.refusals import no_reranker, unloadable_model
from search.models.encoders.torch_models import hide_weight_loading_bar, max_tokens

PREFIX = "flagembedding"
PAIRS_AT_ONCE = 32


class FlagEmbeddingReranker:
    """An encoder-only `FlagReranker`; its scores are raw logits."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Args:
            model: its name, or the folder it was saved to.

        Raises:
            MissingDependencyError: FlagEmbedding is not installed.
            ModelError: the model cannot be loaded, or gives several scores a pair.
        """
        self.name = f"{PREFIX}:{model}"
        if find_spec("FlagEmbedding") is None:
            raise MissingDependencyError(f"The reranker {self.name}", PREFIX)
        try:
            self._model = _load(model)
        except Exception as error:  # the library raises whatever transformers and torch raise
            raise unloadable_model("reranker", self.name, error) from error
        labels = self._model.model.config.num_labels
        if labels != 1:
            raise no_reranker(self.name, labels)
        self._limit = max_tokens(self._model.tokenizer)

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one logit a passage, shape (passages,).

        Question and passage together are cut at 512 tokens, the question at three quarters of it.
        """
        scores = np.zeros(len(passages), dtype=np.float32)
        by_length = sorted(range(len(passages)), key=lambda index: -len(passages[index]))
        for start in range(0, len(passages), PAIRS_AT_ONCE):
            some = by_length[start : start + PAIRS_AT_ONCE]
            # A batch larger than the pairs: the library draws progress bars when one is full.
            found = self._model.compute_score(
                [(question, passages[index]) for index in some],
                batch_size=len(some) + 1,
                max_length=self._limit,
            )
            # One pair may come back as a bare number.
            scores[some] = np.atleast_1d(np.asarray(found, dtype=np.float32))
        return scores


def _load(model: str) -> Any:
    import torch
    from FlagEmbedding import FlagReranker

    hide_weight_loading_bar()
    cuda = torch.cuda.is_available()
    # One device: with several, the library starts processes that outlive a short command.
    return FlagReranker(model, use_fp16=cuda, devices=["cuda:0" if cuda else "cpu"])
