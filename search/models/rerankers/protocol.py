"""What rirag asks of a reranker: how well does each passage answer the question?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Reranker(Protocol):
    """A model that scores a question and a passage together.

    Threads that search one index call it at the same time.
    """

    @property
    def name(self) -> str:
        """The name that `search.models.rerankers.load_reranker` understands."""

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Return one raw score a passage, shape (passages,); higher is more relevant."""
