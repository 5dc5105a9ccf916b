"""Stored answers: what was said, to which question, on which state of the index; and feedback."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args

from rirag.server.storage.database import Database, Rows, now
from search.json_form import Record

Verdict = Literal["right", "incomplete", "irrelevant", "wrong"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

COLUMNS = ("id", "created", "answer_id", "question", "verdict", "citation", "comment", "maker")


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it was given."""

    id: str
    created: str
    """UTC, ISO 8601."""
    maker: str
    """Name of the key it was given to; empty: the local user."""
    bound: str
    """The filters of that key in one form (`Caller.bound`)."""
    question: str
    body: Mapping[str, Any]
    """The JSON form of the answer, as it was sent."""
    passages: Mapping[str, Mapping[str, Any]]
    """`ID` → JSON form of each cited passage, as it was then."""

    @property
    def given(self) -> str:
        """When it was given, as people write it."""
        return self.created.replace("T", " ")[:16] + " UTC"


class Answers(Rows[StoredAnswer]):
    """The stored answers of a server."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, "answers", _answer)

    def add(
        self, body: Mapping[str, Any], passages: Mapping[str, Mapping[str, Any]], *, maker: str,
        bound: str, same: str = "",
    ) -> StoredAnswer:  # fmt: skip
        """Keep an answer under an ID that nobody can guess; the fields are those of the record.

        All answers to the same question, on the same state of the index and with the same
        settings, have `same` in common; empty: nothing.
        """
        made = secrets.token_hex(16)
        created = now()
        whole = {**body, "answer_id": made, "created": created}
        question = str(body["Question"])
        self._database.write(
            "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            made, same, created, maker, bound, question, json.dumps(whole), json.dumps(passages),
        )  # fmt: skip
        return StoredAnswer(made, created, maker, bound, question, whole, passages)

    def same(self, same: str) -> StoredAnswer | None:
        """Return the newest answer with this in common."""
        row = self._database.one(
            "SELECT * FROM answers WHERE same = ? ORDER BY rowid DESC LIMIT 1", same
        )
        return None if row is None else _answer(row)

    def citing(
        self, passage_ids: Iterable[str], *, bound: str, maker: str | None
    ) -> list[tuple[str, str, str]]:
        """Return ID, question and cited passage of the answers that cite one of some passages.

        Args:
            passage_ids: of the passages.
            bound: filters of the caller, under which the answers were made; empty: any.
            maker: of the answers; None: anybody.
        """
        rows = self._database.all(
            "SELECT answers.id, question, cited.key FROM answers, json_each(passages) AS cited "
            "WHERE cited.key IN (SELECT value FROM json_each(?)) AND ? IN ('', bound) "
            "AND (? IS NULL OR maker = ?) ORDER BY answers.rowid",
            json.dumps([*passage_ids]), bound, maker, maker,
        )  # fmt: skip
        return [tuple(row) for row in rows]

    def delete(self, answer_id: str) -> int:
        """Delete an answer, its question and its feedback; return how many answers were there."""
        return self._database.write_all(
            ("DELETE FROM feedback WHERE answer_id = ?", (answer_id,)),
            ("DELETE FROM answers WHERE id = ?", (answer_id,)),
        )

    def delete_older(self, days: int) -> int:
        """Delete what was stored at least so many days ago; return how many answers these were."""
        until = ((datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds"),)
        old = "DELETE FROM feedback WHERE answer_id IN (SELECT id FROM answers WHERE created <= ?)"
        answers = "DELETE FROM answers WHERE created <= ?"
        return self._database.write_all((old, until), (answers, until))


@dataclass(frozen=True, slots=True)
class FeedbackEntry(Record):
    """One opinion."""

    id: int
    created: str
    answer_id: str
    question: str
    verdict: str
    citation: str
    comment: str
    maker: str


class Feedback(Rows[FeedbackEntry]):
    """The feedback that a server was given."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, "opinions", _entry, "id")

    def add(
        self, answer_id: str, verdict: Verdict, citation: str, comment: str, maker: str
    ) -> None:
        """Keep an opinion of a stored answer."""
        self._database.write(
            "INSERT INTO feedback (answer_id, created, maker, verdict, citation, comment) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            answer_id, now(), maker, verdict, citation, comment,
        )  # fmt: skip


def _entry(row: sqlite3.Row) -> FeedbackEntry:
    return FeedbackEntry(**{name: row[name] for name in COLUMNS})


def _answer(row: sqlite3.Row) -> StoredAnswer:
    return StoredAnswer(
        row["id"], row["created"], row["maker"], row["bound"], row["question"],
        json.loads(row["body"]), json.loads(row["passages"]),
    )  # fmt: skip
