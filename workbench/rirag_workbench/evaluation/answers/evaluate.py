"""From files to figures: the answers of a file, and two files side by side."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rirag.files import sha256_of
from rirag.inputs.answer_records import read_answers
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import Question, read_questions
from rirag.progress import Progress
from rirag.service.opening import all_passages
from rirag_workbench.evaluation.answers.measuring import (
    Measured,
    measure,
    with_repass,
)
from rirag_workbench.evaluation.answers.nuggets import Rarity
from rirag_workbench.evaluation.answers.repass import RePASs
from rirag_workbench.evaluation.answers.said import (
    Item,
    Supports,
    by_words,
    with_questions,
    without_questions,
)
from rirag_workbench.evaluation.cache import Cache, key_of
from rirag_workbench.evaluation.statistics import Comparison, compare_values
from rirag_workbench.refusals import unusable
from search.models.classifiers import Array, Classifier, Text
from search.records import Passage

if TYPE_CHECKING:
    from rirag.settings import Settings


Begin = Callable[[str, int], Progress]
"""Takes what begins and how many steps it has; returns what is called after each."""


@dataclass(frozen=True)
class Ground:
    """What answers are held against: questions, and the passages of an index."""

    questions: tuple[Question, ...]
    passages: tuple[Passage, ...]
    source: Path
    """Of the questions."""

    def items(self, answers: Path) -> list[Item]:
        """Read a file of answers and lay them beside their questions."""
        resolve = resolver(self.passages)
        held = {passage.id: passage for passage in self.passages}
        return with_questions(read_answers(answers), self.questions, resolve, held)


def open_ground(questions: Path, settings: Settings) -> Ground:
    """Read questions, and the passages of the index that they belong to."""
    asked = read_questions(questions, judged=False)
    passages = all_passages(settings)
    if any(one.gold for one in asked):
        resolve_gold(asked, resolver(passages), questions)
    return Ground(asked, passages, questions)


@dataclass(frozen=True)
class Wanted:
    """What is measured beside the words."""

    supports: Supports = by_words
    """Whether passages support a statement."""
    repass: RePASs | None = None
    closed_book: Path | None = None
    """Answers to the same questions, made without passages."""


def evaluate_answers(
    answers: Path, ground: Ground | None, begin: Begin, wanted: Wanted | None = None
) -> Measured:
    """Measure the answers of a file."""
    wanted = wanted or Wanted()
    if ground is None:
        items, rarity = without_questions(read_answers(answers)), None
    else:
        items, rarity = ground.items(answers), Rarity(ground.passages)
    measured = measure(items, rarity, wanted.supports, begin("measuring", len(items)))
    if ground is not None:
        held = {passage.id for passage in ground.passages}
        lost = sum(len({one.id for one in item.record.cited} - held) for item in items)
        measured = replace(measured, lost_citations=lost)
    if wanted.repass is None:
        return measured
    closed_book = None
    if wanted.closed_book is not None:
        blind = without_questions(read_answers(wanted.closed_book))
        closed_book = {item.key: item.record.text for item in blind}
    progress = begin("RePASs", len(items))
    return with_repass(measured, items, wanted.repass, closed_book, progress)


def compare(measured: Measured, other: Measured) -> list[Comparison]:
    """Compare measure by measure, over the answers that have a value in both files."""
    rows = _rows(measured, other, None)
    if not rows:
        raise unusable("evaluation.invalid/nothing-common")
    return rows


def compare_by_class(measured: Measured, other: Measured) -> dict[str, list[Comparison]]:
    """Compare within each class of question; classes without a common question are left out."""
    names = dict.fromkeys(measured.classes.values())
    found = {name: _rows(measured, other, name) for name in sorted(names)}
    return {name: rows for name, rows in found.items() if rows}


def _rows(measured: Measured, other: Measured, of_class: str | None) -> list[Comparison]:
    rows = []
    for name, values in measured.values.items():
        others = other.values.get(name, {})
        common = [
            question
            for question in values
            if question in others
            and (of_class is None or measured.classes.get(question) == of_class)
        ]
        if common:
            ours = {question: values[question] for question in common}
            theirs = {question: others[question] for question in common}
            rows.append(compare_values(name, ours, theirs))
    return rows


class RepeatableClassifier:
    """A classifier that is asked once for the same texts."""

    def __init__(self, model: Classifier, cache: Cache) -> None:
        self.name, self.labels = model.name, model.labels
        self._model, self._cache = model, cache
        self._weights = _weights_of(model.name)

    def probabilities(self, texts: Sequence[Text]) -> Array:
        """Return the probability of each label, shape (texts, labels)."""
        key = key_of(self.name, (*self.labels, *self._weights), [json.dumps(texts)])
        found = self._cache.get(key)
        if found is None:
            rows = self._model.probabilities(texts)
            if rows.size:
                self._cache.put(key, {"rows": rows.tolist()})
            return rows
        return np.array(found["rows"], dtype=np.float32)


def _weights_of(name: str) -> list[str]:
    """Return the hashes of the files of a local model, which may change under the same name."""
    folder = Path(name)
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return [sha256_of(file) for file in files if file.is_file()]
