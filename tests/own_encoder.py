"""An encoder as users bring it along, whose words can be made wrong in every way."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from search.models.encoders.protocol import EncodedPassages

DIMENSION = 8


def unit_vectors(texts: Sequence[str]) -> np.ndarray:
    """A random direction a text, the same each time."""
    seeds = [zlib.crc32(text.encode()) for text in texts]
    rows = np.stack([np.random.default_rng(seed).standard_normal(DIMENSION) for seed in seeds])
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


class OwnEncoder:
    """Gives unit vectors, unless it is told to give or to be something else."""

    def __init__(
        self,
        questions: Callable[[Sequence[str]], Any] = unit_vectors,
        passages: Callable[[Sequence[str]], Any] = unit_vectors,
        **members: Any,
    ) -> None:
        self.name, self.dimension, self.revision = "mine", DIMENSION, "1"
        self.questions, self.passages, self.calls = questions, passages, 0
        vars(self).update(members)

    def encode_questions(self, texts: Sequence[str]) -> Any:
        self.calls += 1
        return self.questions(texts)

    def encode_passages(self, texts: Sequence[str]) -> Any:
        self.calls += 1
        given = self.passages(texts)
        whole = not isinstance(given, np.ndarray)
        return given if whole else EncodedPassages(given, (False,) * len(texts))


def scaled(factor: float) -> Callable[[Sequence[str]], np.ndarray]:
    """Vectors of another length; NaN and infinity make them no numbers."""
    return lambda texts: unit_vectors(texts) * np.float32(factor)


def raising(error: BaseException) -> Callable[[Sequence[str]], Any]:
    """An encoder's method that fails."""

    def fail(_texts: Sequence[str]) -> Any:
        raise error

    return fail


def giving(value: Any) -> Callable[[Sequence[str]], Any]:
    """An encoder's method that gives the same whatever it is asked."""
    return lambda _texts: value
