"""What rirag asks of an entailment model: does a premise carry a hypothesis?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

LABELS = ("entailment", "neutral", "contradiction")
"""The columns of what a model returns."""


class EntailmentModel(Protocol):
    """A cross-encoder for natural language inference (NLI)."""

    @property
    def name(self) -> str:
        """The name that `search.models.entailment.load_entailment` understands."""
        ...

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the probability of each of `LABELS`, shape (pairs, 3); rows add up to 1."""
        ...
