"""An encoder without a model: unit vectors at random, so that only search itself is measured."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from search.models.encoders.protocol import EncodedPassages, Vectors

DIMENSION = 384


class RandomEncoder:
    """Gives every text a unit vector of its own, the same each time."""

    name = "random"
    revision = "1"
    dimension = DIMENSION

    def encode_questions(self, texts: Sequence[str]) -> Vectors:
        """Return a vector a text."""
        seeds = (zlib.crc32(text.encode()) for text in texts)
        return np.concatenate([random_vectors(1, seed) for seed in seeds])

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        """Return a vector a text; nothing is ever cut off."""
        return EncodedPassages(self.encode_questions(texts), (False,) * len(texts))


def random_vectors(count: int, seed: int) -> Vectors:
    """Return unit vectors evenly distributed over all directions, shape (count, DIMENSION)."""
    drawn = np.random.default_rng(seed).standard_normal((count, DIMENSION), np.float32)
    unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit
