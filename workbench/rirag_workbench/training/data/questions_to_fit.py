"""The questions that a profile is fitted to: a team's own, and short ones made of them.

Whoever writes a question file writes sentences, and people type two words as often. So each
question is also used as keyword versions of 1-4 and 5-9 words (`training/data/keywords.py`),
and the rulebook gives titles of its sections, with the passages below them, and the terms it
defines, with their definitions. None of these is made of the words of its own answer's text by
choosing those that a retriever is good at.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rirag_workbench.evaluation.retrieval.run import own_entries
from rirag_workbench.evaluation.statistics import spread
from rirag_workbench.training.data.keywords import Rarity, keyword_versions
from rirag_workbench.training.data.pair_sources import defined_terms, heading_pairs
from search.answered_questions.questions import AnsweredQuestion
from search.records import Passage

Kind = Literal["question", "keywords", "title", "term"]

VERSIONS_OF_EACH = 3
"""Keyword versions of a question that are used, of some seven that are made: both lengths and most
methods are among them."""

RULEBOOK_SHARE = 4
"""One title and one term for so many questions, so that keywords of real questions prevail."""

MOST_WORDS = 9
"""Longer titles and terms are not typed."""

MOST_RELEVANT = 10
"""A title with more passages below it cannot be answered by ten hits."""

OwnKnown = Mapping[str, frozenset[str]]
"""question_id → IDs of the same answered questions; questions without any are absent."""

_NO_WORDS = re.compile(r"[\d\[\]:]")
"""Numbers of sections, and marks such as `[Deleted]`, which nobody types."""


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


def titles_and_terms(passages: Sequence[Passage], count: int) -> Iterator[QuestionToFit]:
    """Yield up to `count` titles, and as many defined terms, spread over the rulebooks.

    The same words at several places are one question, answered by all of these places.
    """
    below: dict[str, set[str]] = defaultdict(set)
    for pair in heading_pairs(passages):
        below[pair.question].update(one.id for one in pair.positives if one.id)
    defined: dict[str, set[str]] = defaultdict(set)
    for term, passage in defined_terms(passages):
        defined[term].add(passage.id)
    yield from _of_kind("title", below, count)
    yield from _of_kind("term", defined, count)


def _of_kind(kind: Kind, found: Mapping[str, Iterable[str]], count: int) -> Iterator[QuestionToFit]:
    usable = [
        QuestionToFit(f"{kind} {text.lower()}", text, frozenset(relevant), kind)
        for text, relevant in found.items()
        if len(text.split()) <= MOST_WORDS
        and len(frozenset(relevant)) <= MOST_RELEVANT
        and not _NO_WORDS.search(text)
    ]
    yield from spread(usable, count)
