"""A reranker that reads no passage twice for one question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from search.models.rerankers.protocol import Reranker


class ReadingOnce:
    """Wraps a reranker for runs that rank the same question in several ways, one by one."""

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker
        self._question = ""
        self._scores: dict[str, float] = {}

    @property
    def name(self) -> str:
        """The reranker's own name."""
        return self._reranker.name

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return the scores, shape (passages,); those of the last question are remembered."""
        if question != self._question:
            self._question, self._scores = question, {}
        new = [text for text in dict.fromkeys(passages) if text not in self._scores]
        if new:
            self._scores |= zip(new, self._reranker.score(question, new).tolist(), strict=True)
        return np.array([self._scores[text] for text in passages], np.float32)
