"""Rerank with a server that speaks `/rerank`: `endpoint:MODEL`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.errors import ModelError
from search.models.faults import ServerError
from search.models.server import ModelServer

PREFIX = "endpoint"
PATH = "/rerank"
AT_ONCE = 32
"""Passages of a request: as many as Text Embeddings Inference takes by default."""


class EndpointReranker:
    """A reranker as Cohere, Jina, vLLM and Text Embeddings Inference serve it.

    Texts leave this machine for wherever RIRAG_RERANK_URL is.
    """

    def __init__(self, model: str) -> None:
        """Prepare; nothing is sent.

        Args:
            model: the name that the server knows it by.

        Raises:
            InputError: RIRAG_RERANK_URL is not set, or one of the variables cannot be used.
        """
        self.name = f"{PREFIX}:{model}"
        self._model = model
        self._server = ModelServer(f"The reranker {self.name}", "rerank", PATH)
        self._takes_texts = False
        """Whether the server wants `texts`, as Text Embeddings Inference does."""

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one score a passage, shape (passages,).

        Raises:
            ModelError: the server cannot be reached, refuses, or does not score each passage once.
        """
        parts = [passages[at : at + AT_ONCE] for at in range(0, len(passages), AT_ONCE)]
        scores = [self._scores(question, part) for part in parts]
        return np.concatenate([np.zeros(0, np.float32), *scores])

    def _scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        texts = [passage or " " for passage in passages]
        body: dict[str, Any] = {"query": question}
        if self._takes_texts:
            body |= {"texts": texts, "truncate": True}
        else:
            body |= {"model": self._model, "documents": texts, "top_n": len(texts)}
        try:
            return self._read(self._server.post(body), len(texts))
        except ServerError as error:
            if not self._takes_texts and "texts" in error.fault.said:
                self._takes_texts = True
                return self._scores(question, passages)
            raise self._server.refusal(error.fault) from None
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ModelError(
                f"{self._server.place} did not return one score for each of {len(texts)} passages.",
                code="model.endpoint",
            ) from None

    def _read(self, answer: Any, count: int) -> NDArray[np.float32]:
        """Return the scores of a reply in the order of the passages; the server sorts them."""
        rows = answer.get("results", answer.get("data")) if isinstance(answer, Mapping) else answer
        scores = {row["index"]: row.get("relevance_score", row.get("score")) for row in rows}
        if len(rows) != count:
            raise ValueError
        found = np.array([scores[place] for place in range(count)], dtype=np.float32)
        if not np.isfinite(found).all():
            raise ValueError
        return found
