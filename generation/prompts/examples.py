"""Answered questions that show a model how answers look (mode `few-shot`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from generation.text.fence import Fence
from search.answered_questions.questions import folded
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


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its answer."""

    question: str
    answer: str
    topic: str = ""
    """What it is about, where its source says so."""


def shown_examples(examples: Iterable[Example], fence: Fence) -> str:
    """Return examples between their marks, numbered."""
    return "\n\n".join(
        fence.example(number, one.question, one.answer)
        for number, one in enumerate(examples, start=1)
    )


def nearest_examples(question: str, examples: Sequence[Example], count: int) -> list[Example]:
    """Return the examples whose questions share most with a question, best first.

    Shared words weigh by how rare they are among the examples (cosine of tf-idf). The question
    itself is not an example, or it would be answered by copying.
    """
    asked = folded(question)
    others = [example for example in examples if folded(example.question) != asked]
    rarity = rarity_in([example.question for example in others])
    wanted = vector_of(question, rarity)
    likeness = [cosine(wanted, vector_of(example.question, rarity)) for example in others]
    best = sorted(range(len(others)), key=lambda place: -likeness[place])[:count]
    return [others[place] for place in best]
