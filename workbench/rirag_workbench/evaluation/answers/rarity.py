"""How rare each term is in an index, and so how much of a question's subject a text speaks of."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from generation.text.subject import subject
from search.records import Passage
from search.text.analyzer import tokens


class Rarity:
    """Inverse document frequencies of the passages of an index."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        """Count in how many passages each term occurs."""
        self._passages = 0
        self._with_term: Counter[str] = Counter()
        for passage in passages:
            self._passages += 1
            self._with_term.update(set(tokens(passage.text)))

    def of(self, term: str) -> float:
        """Return the weight of a term; it is never 0, and highest for an unknown term."""
        return math.log(1 + (self._passages + 1) / (1 + self._with_term[term]))

    def bearing(self, question: str, terms: AbstractSet[str]) -> float:
        """Return how much of a question's subject a set of terms holds, 0 to 1, by weight."""
        weights = {term: self.of(term) for term in subject(question)}
        total = math.fsum(weights.values())
        held = math.fsum(weight for term, weight in weights.items() if term in terms)
        return held / total if total else 0.0
