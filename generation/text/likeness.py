"""How alike two texts are: the cosine of their tf-idf vectors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from search.text.analyzer import tokens

Vector = Mapping[str, float]
"""Word → weight; of length 1, or 0 where no word of the text weighs anything."""


def rarity_in(texts: Sequence[str]) -> Mapping[str, float]:
    """Return word → how rare it is among texts: ln(1 + texts / texts that have it)."""
    seen = Counter(word for text in texts for word in _bag(text))
    return {word: math.log(1 + len(texts) / count) for word, count in seen.items()}


def vector_of(text: str, rarity: Mapping[str, float]) -> Vector:
    """Return the vector of a text; words of unknown rarity weigh nothing."""
    weights = {word: count * rarity.get(word, 0.0) for word, count in _bag(text).items()}
    length = math.sqrt(sum(weight**2 for weight in weights.values()))
    return {word: weight / length for word, weight in weights.items()} if length else {}


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors, 0 to 1."""
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())


@lru_cache(maxsize=4096)  # the examples stay the same from one answer to the next
def _bag(text: str) -> Mapping[str, int]:
    return Counter(tokens(text))
