"""The questions of an ablation with their groups, asked in every way."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rirag.files import sha256_of
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag.progress import Progress
from rirag_workbench.ablation.variants import Variant
from rirag_workbench.evaluation.retrieval.run import compute
from rirag_workbench.evaluation.retrieval.runs import Ranking, strictly_decreasing
from rirag_workbench.evaluation.statistics import Values, spread
from rirag_workbench.training.data.questions_to_fit import (
    OwnKnown,
    QuestionToFit,
    with_keyword_versions,
)
from rirag_workbench.training.data.trained_on import TrainedOn
from search.index import Index
from search.pipeline import SearchResult
from search.records import Passage

AS_ASKED = "as asked"
"""The group of the questions of the file, without keyword versions."""

LENGTHS = {"1-4 words": range(5), "5-9 words": range(5, 10), "10+ words": range(10, 10**6)}


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions: those of the file and, if wanted, keyword versions of them."""

    questions: tuple[QuestionToFit, ...]
    missing: int
    """References to relevant passages that are not in the index."""

    @property
    def words(self) -> list[int]:
        """Length of each question, as search counts it."""
        return [len(question.text.split()) for question in self.questions]

    def groups(self) -> dict[str, list[int]]:
        """Return name → places of the questions of each group that has any."""
        numbered = list(enumerate(self.questions))
        groups = {AS_ASKED: [place for place, one in numbered if one.kind == "question"]}
        for name, lengths in LENGTHS.items():
            groups[name] = [place for place, count in enumerate(self.words) if count in lengths]
        found = {name: places for name, places in groups.items() if places}
        return found if len(found) > 2 else {AS_ASKED: found[AS_ASKED]}


def read_asked(
    file: Path, passages: Sequence[Passage], encoder: str, training: Sequence[Path],
    *, keywords: bool = True, sample: int | None = None,
) -> Asked:  # fmt: skip
    """Read the questions.

    Those that the encoder was trained on, by the record beside it or by `training`, are not asked,
    unless these are all.
    """
    questions, resolve = read_questions(file), resolver(passages)
    trained_on = TrainedOn.read(encoder).with_files(training, resolve)
    kept = spread(trained_on.unseen(questions, sha256_of(file)) or questions, sample)
    judged = resolve_gold(kept, resolve, file)
    versions = with_keyword_versions(judged.texts, judged.relevant)
    asked = tuple(one for one in versions if keywords or one.kind == "question")
    return Asked(asked, judged.missing)


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


@dataclass(slots=True)
class Measured:
    """What one way to search has found."""

    variant: Variant
    run: dict[str, Ranking] = field(default_factory=dict)
    """Place of a question → what was retrieved for it."""
    values: Values = field(default_factory=dict)
    """Measure → place of a question → value."""
    milliseconds: list[float] = field(default_factory=list)
    """Time of each search, one at a time."""
    notes: Counter[str] = field(default_factory=Counter)
    """What its searches noted → how many of them did."""
    stood_aside: Counter[str] = field(default_factory=Counter)
    """Why fitted models had no say, or less of it → in how many searches."""
    learned: int = 0
    """Searches in which the learned ranking had a say."""

    def add(self, result: SearchResult, milliseconds: float) -> None:
        """Take in the next result."""
        found = [(hit.id, hit.score) for hit in result.hits]
        self.run[str(len(self.run))] = strictly_decreasing(found)
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
    """
    for way in ways:
        for question in questions[:WARM_UP]:
            way.ask(question)
    found = [Measured(way.variant) for way in ways]
    for place, question in enumerate(questions):
        for turn in range(len(ways)):
            number = (place + turn) % len(ways)
            started = time.perf_counter()
            result = ways[number].ask(question)
            found[number].add(result, (time.perf_counter() - started) * 1000)
            progress()
    relevant = {str(place): one.relevant for place, one in enumerate(questions)}
    for one in found:
        one.values = compute(relevant, one.run, MEASURES)
    return found
