"""Asking every question in every way."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rirag.progress import Progress
from rirag_workbench.ablation.variants import Variant
from rirag_workbench.evaluation.retrieval.measures import compute
from rirag_workbench.evaluation.retrieval.runs import Ranking, strictly_decreasing
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from search.index import Index
from search.pipeline import SearchResult

Array = NDArray[np.float64]

MEASURES = ("R@10", "AP@10")
K = 10

WARM_UP = 3
"""Questions asked before the clock counts: files are mapped and caches filled by the first."""


@dataclass(frozen=True, slots=True)
class Way:
    """A variant, and the opened index it is for."""

    variant: Variant
    index: Index
    own: OwnKnown
    """Answered questions of this index that must not vote."""

    def ask(self, question: QuestionToFit) -> SearchResult:
        """Search."""
        return self.index.search(
            question.text,
            K,
            profile=self.variant.profile,
            rerank=self.variant.rerank,
            answered_questions=self.variant.answered_questions,
            leave_out=self.own.get(question.question_id, frozenset()),
        )


@dataclass(frozen=True, slots=True)
class Measured:
    """One way to search, on every question; arrays of shape (questions,)."""

    variant: Variant
    recall: Array
    """R@10."""
    average_precision: Array
    """AP@10."""
    milliseconds: Array
    """Time of each search, one at a time."""
    notes: Mapping[str, int] = field(default_factory=dict)
    """What its searches noted → how many of them did."""
    stood_aside: Mapping[str, int] = field(default_factory=dict)
    """Why fitted models had no say, or less of it → in how many searches."""
    learned: int = 0
    """Searches in which the learned ranking had a say."""


@dataclass(slots=True)
class _Answers:
    """What one way to search has found so far."""

    run: dict[str, Ranking] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    stood_aside: Counter[str] = field(default_factory=Counter)
    learned: int = 0

    def add(self, question: str, result: SearchResult, milliseconds: float) -> None:
        """Note the next result."""
        found = [(hit.id, hit.score) for hit in result.hits]
        self.run[question] = strictly_decreasing(found)
        self.milliseconds.append(milliseconds)
        self.notes.update(result.trace.notes)
        self.stood_aside.update(result.trace.stood_aside)
        self.learned += bool(result.trace.learned)


def measure(
    ways: Sequence[Way], questions: Sequence[QuestionToFit], progress: Progress
) -> list[Measured]:
    """Ask every question in every way.

    Each question is asked in all ways before the next, beginning with another way each time, so
    that whatever slows the machine for a while slows all of them.

    Args:
        ways: to search.
        questions: at least one.
        progress: called after each search.
    """
    for way in ways:
        for question in questions[:WARM_UP]:
            way.ask(question)
    answers = [_Answers() for _ in ways]
    for place, question in enumerate(questions):
        for turn in range(len(ways)):
            number = (place + turn) % len(ways)
            started = time.perf_counter()
            result = ways[number].ask(question)
            elapsed = (time.perf_counter() - started) * 1000
            answers[number].add(str(place), result, elapsed)
            progress()
    relevant = {str(place): one.relevant for place, one in enumerate(questions)}
    return [
        _measured(way.variant, found, relevant) for way, found in zip(ways, answers, strict=True)
    ]


def _measured(
    variant: Variant, answers: _Answers, relevant: Mapping[str, frozenset[str]]
) -> Measured:
    values = compute(relevant, answers.run, MEASURES)
    recall, average_precision = (
        np.array([values[name][question] for question in relevant]) for name in MEASURES
    )
    return Measured(
        variant, recall, average_precision, np.array(answers.milliseconds),
        answers.notes, answers.stood_aside, answers.learned,
    )  # fmt: skip
