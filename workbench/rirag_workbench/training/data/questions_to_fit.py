"""The questions that a profile is fitted to: a team's own, and short ones made of them.

Whoever writes a question file writes sentences, and people type two words as often. So each
question is also used as keyword versions of 1-4 and 5-9 words (`training/data/keywords.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from rirag_workbench.evaluation.retrieval.run import own_entries
from rirag_workbench.evaluation.statistics import spread
from rirag_workbench.training.data.keywords import Rarity, keyword_versions
from search.answered_questions.questions import AnsweredQuestion

Kind = Literal["question", "keywords"]

VERSIONS_OF_EACH = 3
"""Keyword versions of a question that are used, of some seven that are made: both lengths and most
methods are among them."""

OwnKnown = Mapping[str, frozenset[str]]
"""question_id → IDs of the same answered questions; questions without any are absent."""


@dataclass(frozen=True, slots=True)
class QuestionToFit:
    """A question with the passages that answer it."""

    question_id: str
    """Keyword versions carry that of their question."""
    text: str
    relevant: frozenset[str]
    kind: Kind


def with_keyword_versions(
    texts: Mapping[str, str], relevant: Mapping[str, frozenset[str]]
) -> Iterator[QuestionToFit]:
    """Yield each question and some of its keyword versions."""
    rarity = Rarity.of(texts.values())
    for question_id, text in texts.items():
        gold = relevant[question_id]
        yield QuestionToFit(question_id, text, gold, "question")
        versions = keyword_versions(question_id, text, rarity)
        for version in spread(versions, VERSIONS_OF_EACH):
            yield QuestionToFit(question_id, version.text, gold, "keywords")


def own_answered_questions(
    questions: Iterable[QuestionToFit], known: Iterable[AnsweredQuestion]
) -> OwnKnown:
    """Find answered questions that are asked ones; they vote on no keyword version either."""
    texts = {one.question_id: one.text for one in questions if one.kind == "question"}
    entries = own_entries(texts, known)
    return {question: entries[text] for question, text in texts.items() if text in entries}
