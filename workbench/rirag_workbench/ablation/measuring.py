"""The questions of an ablation with their groups, asked in every way."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rirag.files import sha256_of
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag.progress import Progress
from rirag_workbench.ablation.variants import Variant
from rirag_workbench.evaluation.retrieval.run import compute
from rirag_workbench.evaluation.retrieval.runs import Ranking, strictly_decreasing
from rirag_workbench.evaluation.statistics import spread
from rirag_workbench.training.data.questions_to_fit import (
    OwnKnown,
    QuestionToFit,
    with_keyword_versions,
)
from rirag_workbench.training.data.trained_on import TrainedOn, answers_in_training
from search.index import Index
from search.pipeline import SearchResult
from search.records import Passage

Members = NDArray[np.bool_]
"""Which questions are meant, shape (questions,)."""

AS_ASKED = "as asked"
"""The group of the questions of the file, without keyword versions."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions, each with what is known of it."""

    questions: tuple[QuestionToFit, ...]
    """Those of the file and, if wanted, keyword versions of them."""
    trained: AbstractSet[str] | None
    """IDs of passages that are answers in training; None: not all of them are known."""
    missing: int
    """References to relevant passages that are not in the index."""

    @property
    def words(self) -> list[int]:
        """Length of each question, as search counts it."""
        return [len(question.text.split()) for question in self.questions]

    def groups(self) -> dict[str, Members]:
        """Return name → members of each group that has any.

        A question is seen in training when one of its passages was an answer there.
        """
        asked = np.array([one.kind == "question" for one in self.questions], np.bool_)
        words = np.array(self.words)
        lengths = {
            "1-4 words": words < 5,
            "5-9 words": (words >= 5) & (words < 10),
            "10+ words": words >= 10,
        }
        several = sum(members.any() for members in lengths.values()) > 1
        groups = {AS_ASKED: asked, **(lengths if several else {})}
        if self.trained is not None:
            trained = self.trained
            seen = np.array([bool(one.relevant & trained) for one in self.questions], np.bool_)
            groups["seen in training"] = asked & seen
            groups["unseen"] = asked & ~seen
        return {name: members for name, members in groups.items() if members.any()}


def read_asked(
    file: Path, passages: Sequence[Passage], encoder: str, training: Sequence[Path],
    *, keywords: bool = True, sample: int | None = None,
) -> Asked:  # fmt: skip
    """Read the questions, and which passages training knew.

    Those that the encoder was trained on, by the record beside it or by `training`, are not asked,
    unless these are all. Passages are told apart by what training knew where `training` names its
    files, where the record names this file and no other, or where all questions are of it.

    Args:
        file: questions with their passages.
        passages: of the index.
        encoder: name of the index's encoder.
        training: further question or pair files that it was trained on.
        keywords: whether keyword versions are asked as well.
        sample: ask so many questions of the file only, evenly spread.

    Raises:
        InputError: a file cannot be used.
    """
    questions = read_questions(file)
    resolve = resolver(passages)
    sha256, recorded = sha256_of(file), TrainedOn.read(encoder)
    unseen = recorded.with_files(training, resolve).unseen(questions, sha256)
    kept = spread(unseen or questions, sample)
    judged = resolve_gold(kept, resolve, file)
    versions = with_keyword_versions(judged.texts, judged.relevant)
    asked = tuple(one for one in versions if keywords or one.kind == "question")
    files = _files_of_training(file, sha256, recorded, training, bool(unseen))
    if not files:
        return Asked(asked, None, judged.missing)
    left_out = ((one.question_id, one.text) for one in unseen)
    return Asked(asked, answers_in_training(files, left_out, resolve), judged.missing)


def _files_of_training(
    file: Path, sha256: str, recorded: TrainedOn, training: Sequence[Path], any_unseen: bool
) -> list[Path]:
    """Return the files with the answers of the training; none where others may have some too.

    A file is of the training if the record names it, or if it holds no unseen question. Single
    questions may just as well be in a file of the training that is not here.
    """
    alone = recorded.files == {sha256} and not recorded.auxiliary
    if any_unseen and not training and not alone:
        return []
    of_it = not any_unseen or sha256 in recorded.files
    return [*([file] if of_it else []), *training]


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
