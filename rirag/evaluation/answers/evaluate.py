"""From files to figures: the answers of a file, with or without their questions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rirag.evaluation.answers.citations import Supports, by_words
from rirag.evaluation.answers.items import Item, with_questions, without_questions
from rirag.evaluation.answers.measuring import Measured, measure
from rirag.evaluation.answers.rarity import Rarity
from rirag.evaluation.retrieval.gold import resolve_gold, resolver
from rirag.evaluation.retrieval.questions import Question, read_questions
from rirag.inputs.answer_records import read_answers
from rirag.progress import Progress
from search.records import Filters, Passage

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions

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


def open_ground(questions: Path, index: str, server: ServerOptions | None = None) -> Ground:
    """Read questions, and the passages of the index that they belong to.

    Raises:
        InputError: the questions cannot be used, or name passages and the index holds none of them.
    """
    from search.engines import locate

    asked = read_questions(questions, judged=False)
    with closing(locate(index, server).open(index)) as engine:
        passages = tuple(passage for _, passage in engine.find(Filters()))
    if any(one.gold for one in asked):
        resolve_gold(asked, resolver(passages), questions)
    return Ground(asked, passages, questions)


def evaluate_answers(
    answers: Path, ground: Ground | None, begin: Begin, supports: Supports = by_words
) -> Measured:
    """Measure the answers of a file.

    Args:
        answers: as `rirag ask --output` writes them, or in the form of RIRAG, appendix A.6.
        ground: without it only what needs no relevant passages is measured.
        begin: reports progress.
        supports: whether passages support a statement.
    """
    if ground is None:
        items, rarity = without_questions(read_answers(answers)), None
    else:
        items, rarity = ground.items(answers), Rarity(ground.passages)
    return measure(items, rarity, supports, begin("measuring", len(items)))
