"""Pair files: one question a line, with passages that answer it and passages that do not.

    {"question": "Who must report?", "positives": ["ID-1"], "negatives": [{"text": "Fees."}]}

A passage is an `ID` of the index, or an object with its text and, if it has one, its `id`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rirag.files import write_text
from rirag.inputs.json_records import json_lines, read_records, refuse_half_characters
from search.records import Passage

_TEXTS = ("question_id", "source", "made_from")
"""Fields that may be missing."""
FIELDS = frozenset({"question", "positives", "negatives", *_TEXTS})


@dataclass(frozen=True, slots=True)
class PassageReference:
    """A passage as a pair file names it: by `ID`, by its text, or by both."""

    id: str | None = None
    text: str | None = None

    def to_json(self) -> str | dict[str, str]:
        """Return the form that `read_pairs` reads."""
        if self.text is None:
            return self.id or ""
        return {"text": self.text} if self.id is None else {"id": self.id, "text": self.text}


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with the passages that answer it, and some that only seem to."""

    question: str
    positives: tuple[PassageReference, ...]
    """At least one in a file; none where the index holds none of them."""
    negatives: tuple[PassageReference, ...] = ()
    question_id: str = ""
    source: str = ""
    """Where it was made from, such as `questions` or `headings`."""
    made_from: str = ""
    """The whole question, if this is a shorter one made of it: what tells a held-out one."""

    def to_json(self) -> dict[str, Any]:
        """Return the object that is on a line of a pair file."""
        record = {
            "question_id": self.question_id,
            "question": self.question,
            "positives": [passage.to_json() for passage in self.positives],
            "negatives": [passage.to_json() for passage in self.negatives],
            "source": self.source,
        }
        return {**record, "made_from": self.made_from} if self.made_from else record


def write_pairs(pairs: Iterable[Pair], path: Path) -> int:
    """Write a pair file, complete or not at all, and return how many lines it has."""
    lines = [json.dumps(pair.to_json(), ensure_ascii=False) for pair in pairs]
    write_text(path, "".join(line + "\n" for line in lines), "the pair file")
    return len(lines)


def read_pairs(path: Path) -> tuple[Pair, ...]:
    """Read a pair file."""
    return tuple(read_records(path, _pair, json_lines))


def _pair(record: object, _line: int) -> Pair:
    """Check one record; a ValueError says what is wrong with it."""
    if not isinstance(record, dict):
        raise ValueError("a pair must be a JSON object.")
    unknown = sorted(set(record) - FIELDS)
    if unknown:
        raise ValueError(f"unknown field {unknown[0]!r}; a pair has: {', '.join(sorted(FIELDS))}.")
    question = record.get("question")
    if not isinstance(question, str) or not question.strip():
        raise ValueError("field 'question' must be a non-empty text.")
    for name in _TEXTS:
        if not isinstance(record.get(name, ""), str):
            raise ValueError(f"field {name!r} must be a text.")
    for name in ("question", *_TEXTS):
        refuse_half_characters(record.get(name, ""), f"field {name!r}")
    positives = _passages(record, "positives")
    if not positives:
        raise ValueError("field 'positives' must name at least one passage.")
    return Pair(
        question=question,
        positives=positives,
        negatives=_passages(record, "negatives"),
        question_id=record.get("question_id", ""),
        source=record.get("source", ""),
        made_from=record.get("made_from", ""),
    )


def _passages(record: dict[str, Any], name: str) -> tuple[PassageReference, ...]:
    items = record.get(name, [])
    if not isinstance(items, list):
        raise ValueError(f"field {name!r} must be a list.")
    references = tuple(dict.fromkeys(_reference(item, name) for item in items))
    for one in references:
        refuse_half_characters(f"{one.id}{one.text}", f"each of {name!r}")
    return references


def _reference(item: object, name: str) -> PassageReference:
    if isinstance(item, str) and item.strip():
        return PassageReference(id=item)
    if isinstance(item, dict) and set(item) <= {"id", "text"}:
        identity, text = item.get("id"), item.get("text")
        if isinstance(text, str) and text.strip() and (identity is None or _is_text(identity)):
            return PassageReference(id=identity, text=text)
    raise ValueError(
        f"each of {name!r} must be the ID of a passage, or an object with a non-empty 'text'."
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


class PassageTable:
    """Texts by key: first those of the index, then those that only pair files hold.

    Texts that differ in nothing but white space share a key, so that a passage that repeats a
    positive word for word can never be taken for a negative.
    """

    def __init__(self, passages: Iterable[Passage] = ()) -> None:
        """Take in the passages of an index; empty ones are left out, as search leaves them out."""
        self.texts: list[str] = []
        self.index_rows: list[tuple[str, int]] = []
        """(`ID`, key) of each passage of the index, in its order."""
        self._keys: dict[str, int] = {}
        self._ids: dict[str, int] = {}
        for passage in passages:
            if passage.text.strip():
                key = self._key(passage.text)
                self._ids[passage.id] = key
                self.index_rows.append((passage.id, key))
        self.indexed = len(self.texts)
        """Keys below this are passages of the index."""

    def resolve(self, reference: PassageReference) -> int | None:
        """Return the key of a passage; None for an `ID` that the index does not hold."""
        if reference.id is not None and reference.id in self._ids:
            return self._ids[reference.id]
        return None if reference.text is None else self._key(reference.text)

    def indexed_as(self) -> dict[str, Any]:
        """Return how many passages the index has, and a hash of their `ID`s and texts in order."""
        found = json.dumps([self.index_rows, self.texts[: self.indexed]])
        return {
            "number": len(self.index_rows),
            "sha256": hashlib.sha256(found.encode()).hexdigest(),
        }

    def _key(self, text: str) -> int:
        plain = " ".join(text.split())
        key = self._keys.setdefault(plain, len(self.texts))
        if key == len(self.texts):
            self.texts.append(plain)
        return key
