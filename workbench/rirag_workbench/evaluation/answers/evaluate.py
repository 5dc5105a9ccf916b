"""From files to figures: the answers of a file, with or without their questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rirag.inputs.answer_records import read_answers
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import Question, read_questions
from rirag.progress import Progress
from rirag.service.opening import all_passages
from rirag_workbench.evaluation.answers.citations import Supports, by_words
from rirag_workbench.evaluation.answers.items import Item, with_questions, without_questions
from rirag_workbench.evaluation.answers.measuring import Measured, measure, with_repass
from rirag_workbench.evaluation.answers.rarity import Rarity
from rirag_workbench.evaluation.answers.repass.measure import RePASs
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
    """Read questions, and the passages of the index that they belong to.

    Raises:
        InputError: the questions cannot be used, or name passages and the index holds none of them.
    """
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
    """Measure the answers of a file.

    Args:
        answers: as `rirag ask --output` writes them, or in the form of RIRAG, appendix A.6.
        ground: without it only what needs no relevant passages is measured.
        begin: reports progress.
        wanted: the models that are asked, if any.
    """
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
