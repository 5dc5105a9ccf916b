"""Answered questions that show a model how answers look (mode `few-shot`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generation.text.likeness import cosine, rarity_in, vector_of
from search.answered_questions.questions import folded


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
    itself is not an example, or it would be answered by copying.
    """
    asked = folded(question)
    others = [example for example in examples if folded(example.question) != asked]
    rarity = rarity_in([example.question for example in others])
    wanted = vector_of(question, rarity)
    likeness = [cosine(wanted, vector_of(example.question, rarity)) for example in others]
    best = sorted(range(len(others)), key=lambda place: -likeness[place])[:count]
    return [others[place] for place in best]
