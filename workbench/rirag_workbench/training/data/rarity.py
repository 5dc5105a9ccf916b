"""How rare a word is in a corpus."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from search.text.analyzer import words


@dataclass(frozen=True, slots=True)
class Rarity:
    """Inverse document frequency of lower-case words, as in BM25."""

    values: Mapping[str, float]
    unseen: float

    @classmethod
    def of(cls, texts: Iterable[str]) -> Rarity:
        """Count a corpus, one passage a text."""
        counts: Counter[str] = Counter()
        total = 0
        for text in texts:
            total += 1
            counts.update(set(words(text)))
        values = {
            word: math.log(1 + (total - count + 0.5) / (count + 0.5))
            for word, count in counts.items()
        }
        return cls(values, math.log(1 + (total + 0.5) / 0.5))

    def __call__(self, word: str) -> float:
        """Return the rarity of one word."""
        return self.values.get(word.lower(), self.unseen)
