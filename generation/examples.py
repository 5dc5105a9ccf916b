"""Answered questions that show a model how answers look (mode `few-shot`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from search.analyzer import tokens
from search.known_questions import folded


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its answer."""

    question: str
    answer: str
    topic: str = ""
    """What it is about, where its source says so."""


def nearest_examples(question: str, examples: Sequence[Example], count: int) -> list[Example]:
    """Return the examples whose questions share most with a question, best first.

    Shared words weigh by how rare they are among the examples (cosine of tf-idf). The question
    itself is no example, or it would be answered by copying.
    """
    asked = folded(question)
    others = [example for example in examples if folded(example.question) != asked]
    if len(others) <= count:
        return others
    bags = [Counter(tokens(example.question)) for example in others]
    rarity = _rarity(bags)
    wanted = Counter(tokens(question))
    likeness = [_cosine(wanted, bag, rarity) for bag in bags]
    best = sorted(range(len(others)), key=lambda place: -likeness[place])[:count]
    return [others[place] for place in best]


def _rarity(bags: Sequence[Counter[str]]) -> dict[str, float]:
    seen = Counter(word for bag in bags for word in bag)
    return {word: math.log(1 + len(bags) / count) for word, count in seen.items()}


def _cosine(one: Counter[str], other: Counter[str], rarity: dict[str, float]) -> float:
    def length(bag: Counter[str]) -> float:
        return math.sqrt(sum((n * rarity.get(word, 0.0)) ** 2 for word, n in bag.items()))

    shared = sum(one[word] * other[word] * rarity.get(word, 0.0) ** 2 for word in one)
    return shared / ((length(one) * length(other)) or 1.0)
