"""BM25 as Lucene defines it, computed the slow way."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

K1, B = 1.2, 0.75


class BM25:
    """Scores texts given as lists of terms; texts without terms do not count.

    Lucene rounds lengths above 40 terms, so the texts here should be shorter.
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._counts = [Counter(text) for text in texts]
        lengths = [len(text) for text in texts if text]
        self._filled, self._average = len(lengths), sum(lengths) / len(lengths)

    def score(self, place: int, query: Sequence[str]) -> float:
        """Score one text; a word that the query repeats counts each time."""
        counts = self._counts[place]
        norm = K1 * (1 - B + B * sum(counts.values()) / self._average)
        return sum(
            self._idf(word) * counts[word] * (K1 + 1) / (counts[word] + norm) for word in query
        )

    def ranking(self, query: Sequence[str]) -> list[tuple[int, float]]:
        """Return (place, score) of every text that has a word of the query, best first."""
        scored = [(place, self.score(place, query)) for place in range(len(self._counts))]
        return sorted(
            (pair for pair in scored if pair[1] > 0), key=lambda pair: (-pair[1], pair[0])
        )

    def _idf(self, word: str) -> float:
        having = sum(word in counts for counts in self._counts)
        return math.log(1 + (self._filled - having + 0.5) / (having + 0.5))
