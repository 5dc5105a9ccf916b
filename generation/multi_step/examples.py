"""Five answered questions of the same topic that differ from one another.

Likeness is the cosine of tf-idf vectors of the questions. Chosen is by maximal marginal relevance
(Carbonell and Goldstein 1998): each next example is the one with the largest
`SHARE·likeness to the question − (1 − SHARE)·likeness to the nearest one chosen before`.
Heterogeneity is one minus the mean likeness of all pairs that were chosen, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from generation.prompts.examples import Example
from generation.text.likeness import Vector, cosine, rarity_in, vector_of
from search.answered_questions.questions import folded

EXAMPLES = 5
"""As many as Licari et al. show (section 2.3)."""

SHARE = 0.5
"""Weight of likeness to the question; the rest is weight of being different."""


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
    texts = [question, *(one.question for one in pool)]
    rarity = rarity_in(texts)
    vectors = [vector_of(text, rarity) for text in texts]
    chosen = _chosen(vectors[0], vectors[1:], count)
    return [pool[place] for place in chosen], heterogeneity([vectors[p + 1] for p in chosen])


def heterogeneity(vectors: Sequence[Vector]) -> float:
    """Return one minus the mean cosine of all pairs; 1 for fewer than two vectors."""
    pairs = [cosine(one, other) for one, other in combinations(vectors, 2)]
    return 1 - sum(pairs) / len(pairs) if pairs else 1.0


def _chosen(question: Vector, pool: Sequence[Vector], count: int) -> list[int]:
    near = [cosine(question, vector) for vector in pool]
    chosen: list[int] = []
    nearest = [0.0] * len(pool)
    while len(chosen) < min(count, len(pool)):
        left = [place for place in range(len(pool)) if place not in chosen]
        best = max(left, key=lambda place: SHARE * near[place] - (1 - SHARE) * nearest[place])
        chosen.append(best)
        nearest = [
            max(before, cosine(pool[best], vector))
            for before, vector in zip(nearest, pool, strict=True)
        ]
    return chosen
