"""Question files: ObliQA's JSON, or one JSON object a line.

The container (a JSON list, or lines) and the form of each record are both recognised by looking.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rirag.inputs.json_records import read_records, refuse_half_characters
from search.errors import InputError

WITHOUT_ANSWER = ("near-miss", "unanswerable")
"""Classes of a data set (field `class`) whose questions nothing answers."""


@dataclass(frozen=True, slots=True)
class GoldReference:
    """A passage that a question's author marked as relevant, as the file names it."""

    id: str | None = None
    """The passage's `ID`, or None where the file gives document and number instead."""
    document_id: str = ""
    passage_id: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a file."""

    question_id: str
    text: str
    gold: tuple[GoldReference, ...] = ()
    """Without repetitions."""
    background: str = ""
    """The facts behind the question, in the words of the asker."""
    topic: str = ""
    """What it is about, in the words of a list of topics."""
    article: str = ""
    """The articles that the asker names, such as `92, 129b`."""


def read_questions(path: Path, *, judged: bool = True) -> tuple[Question, ...]:
    """Read a question file.

    Args:
        path: a JSON list of `{"QuestionID", "Question", "Passages": [{"DocumentID", "PassageID"}]}`
            or lines of `{"question_id", "question", "relevant": [ID, …]}`, where `qa_id` may be
            for `question_id`. Both may have `background`, `topic` and `article`.
        judged: whether each question must name at least one relevant passage; those of a class in
            `WITHOUT_ANSWER` are left out then.
    """
    first: dict[str, int] = {}

    def parse(record: object, line: int) -> Question | None:
        if judged and isinstance(record, dict) and record.get("class") in WITHOUT_ANSWER:
            return None
        found = _question(record, judged)
        key = found.question_id
        if key in first:
            raise ValueError(f"question id {key!r} is already used on line {first[key]}.")
        first[key] = line
        return found

    records = read_records(path, parse)
    questions = tuple(one for one in records if one is not None)
    if not questions:
        what = "only questions that nothing answers" if records else "no questions"
        raise InputError(f"the file contains {what}.", path, 1, code="file.invalid")
    return questions


def _question(record: object, judged: bool) -> Question:
    """Check one record; a ValueError says what is wrong with it."""
    if not isinstance(record, dict):
        raise ValueError("a question must be a JSON object.")
    obliqa = "QuestionID" in record or "Question" in record
    id_field, text_field, gold_field = (
        ("QuestionID", "Question", "Passages")
        if obliqa
        else ("qa_id" if "qa_id" in record else "question_id", "question", "relevant")
    )
    question_id, text = _text(record, id_field), _text(record, text_field)
    if any(character.isspace() for character in question_id):
        raise ValueError(f"{id_field} {question_id!r} must not contain white space.")
    items = record.get(gold_field, [])
    if not isinstance(items, list):
        raise ValueError(f"{gold_field!r} must be a list.")
    gold = [_pair(item) if obliqa else _id(item) for item in items]
    if judged and not gold:
        raise ValueError(f"question {question_id!r} names no relevant passage in {gold_field!r}.")
    if not any(character.isalnum() for character in text):
        raise ValueError(
            f"question {question_id!r}: the question has no words: ask in words, or name a rule "
            "by its number."
        )
    case = (_optional_text(record, name) for name in ("background", "topic", "article"))
    return Question(question_id, text, tuple(dict.fromkeys(gold)), *case)


def _pair(item: object) -> GoldReference:
    if not isinstance(item, dict):
        raise ValueError("each of 'Passages' must be an object with DocumentID and PassageID.")
    return GoldReference(document_id=_text(item, "DocumentID"), passage_id=_text(item, "PassageID"))


def _id(item: object) -> GoldReference:
    if not isinstance(item, str) or not item.strip():
        raise ValueError("each of 'relevant' must be the ID of a passage, as text.")
    refuse_half_characters(item, "each of 'relevant'")
    return GoldReference(id=item)


def _optional_text(record: dict[str, Any], name: str) -> str:
    empty = record.get(name) is None or record[name] == ""
    return "" if empty else _text(record, name)


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        found = "is missing" if name not in record else f"is {json.dumps(record[name])[:40]}"
        raise ValueError(f"field {name!r} {found}; it must be a non-empty text.")
    refuse_half_characters(value, f"field {name!r}")
    return value
