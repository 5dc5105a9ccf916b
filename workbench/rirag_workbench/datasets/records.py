"""The record of a data set: one question, and the passages that answer it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from rirag.inputs.json_records import read_records
from rirag.inputs.questions import WITHOUT_ANSWER
from search.json_form import Record
from search.records import Passage

QuestionClass = Literal["single", "group", "near-miss", "unanswerable"]
"""One passage answers it, several do together, none does although it seems so, or none is even
about its subject."""

CLASSES: tuple[QuestionClass, ...] = get_args(QuestionClass)


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A passage that a question was written for."""

    id: str
    document_id: str
    passage_id: str
    text: str

    @classmethod
    def of(cls, passage: Passage) -> SourcePassage:
        """Return the record of a passage of an index."""
        return cls(passage.id, passage.document_id, passage.passage_id, passage.text)


@dataclass(frozen=True, slots=True)
class Question(Record):
    """One question of a data set."""

    question_id: str
    question: str
    kind: QuestionClass
    passages: tuple[SourcePassage, ...]
    """That it was written for; those of a class in `WITHOUT_ANSWER` do not answer it."""
    topic: str = ""
    rank: int | None = None
    """Place of the first relevant passage in a search, a measure of difficulty; None: not found."""

    @property
    def relevant(self) -> tuple[SourcePassage, ...]:
        """The passages that answer it."""
        return () if self.kind in WITHOUT_ANSWER else self.passages

    json_form = "question_id question relevant=relevant.id class=kind topic rank passages"


def read_dataset(path: Path) -> list[Question]:
    """Read a data set."""
    return read_records(path, _question)


def _question(record: Any, _line: int) -> Question:
    """Check one record; a ValueError says what is wrong with it."""
    try:
        passages = tuple(SourcePassage(**one) for one in record["passages"])
        question_id, text, kind = (record[name] for name in ("question_id", "question", "class"))
        topic, rank = str(record.get("topic") or ""), record.get("rank")
    except (KeyError, TypeError):
        passages, kind = (), ""
    if kind not in CLASSES or not passages:
        raise ValueError("this line was not written by rirag dataset build.")
    return Question(str(question_id), str(text), kind, passages, topic, rank)


def to_lines(questions: Sequence[Question]) -> str:
    """Return the text of a file."""
    return "".join(json.dumps(one.to_json(), ensure_ascii=False) + "\n" for one in questions)
