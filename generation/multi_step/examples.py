"""Five answered questions of the same topic that differ from one another.

Likeness is the cosine of tf-idf vectors of the questions. Chosen is by maximal marginal relevance
(Carbonell and Goldstein 1998): each next example is the one with the largest
`SHARE·likeness to the question − (1 − SHARE)·likeness to the nearest one chosen before`.
Heterogeneity is one minus the mean likeness of all pairs that were chosen, 0 to 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from generation.examples import Example
from search.analyzer import tokens
from search.known_questions import folded

EXAMPLES = 5
"""As many as Licari et al. show (section 2.3)."""

SHARE = 0.5
"""Weight of likeness to the question; the rest is weight of being different."""

Vector = Mapping[str, float]


def varied_examples(
    question: str, topic: str, examples: Sequence[Example], count: int = EXAMPLES
) -> tuple[list[Example], float]:
    """Return examples in the order of choice, and how heterogeneous they are.

    Without a topic, or with fewer than two examples of it, all examples are looked at. The
    question itself is never an example.
    """
    others = [one for one in examples if folded(one.question) != folded(question)]
    same = [one for one in others if topic and folded(one.topic) == folded(topic)]
    pool = same if len(same) > 1 else others
    vectors = _vectors([question, *(one.question for one in pool)])
    chosen = _chosen(vectors[0], vectors[1:], count)
    return [pool[place] for place in chosen], heterogeneity([vectors[p + 1] for p in chosen])


def heterogeneity(vectors: Sequence[Vector]) -> float:
    """Return one minus the mean cosine of all pairs; 1 for fewer than two vectors."""
    pairs = [_cosine(one, other) for one, other in combinations(vectors, 2)]
    return 1 - sum(pairs) / len(pairs) if pairs else 1.0


def _chosen(question: Vector, pool: Sequence[Vector], count: int) -> list[int]:
    near = [_cosine(question, vector) for vector in pool]
    chosen: list[int] = []
    nearest = [0.0] * len(pool)
    while len(chosen) < min(count, len(pool)):
        left = [place for place in range(len(pool)) if place not in chosen]
        best = max(left, key=lambda place: SHARE * near[place] - (1 - SHARE) * nearest[place])
        chosen.append(best)
        nearest = [
            max(before, _cosine(pool[best], vector))
            for before, vector in zip(nearest, pool, strict=True)
        ]
    return chosen


def _vectors(texts: Sequence[str]) -> list[Vector]:
    bags = [_bag(text) for text in texts]
    seen = Counter(word for bag in bags for word in bag)
    return [_unit({w: n * math.log(1 + len(bags) / seen[w]) for w, n in bag.items()})
            for bag in bags]  # fmt: skip


@lru_cache(maxsize=4096)  # the examples stay the same from one answer to the next
def _bag(text: str) -> Mapping[str, int]:
    return Counter(tokens(text))


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(sum(weight**2 for weight in vector.values()))
    return {word: weight / length for word, weight in vector.items()} if length else vector


def _cosine(one: Vector, other: Vector) -> float:
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())
