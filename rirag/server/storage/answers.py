"""Stored answers: what was said, to which question, on which state of the index."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from rirag.server.storage.database import Database


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

    def visible_to(self, bound: str) -> bool:
        """Return whether a caller with these filters may read it."""
        return bound in ("", self.bound)


class Answers:
    """The stored answers of a server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        body: Mapping[str, Any],
        passages: Mapping[str, Mapping[str, Any]],
        *,
        maker: str,
        bound: str,
        same: str = "",
    ) -> StoredAnswer:
        """Keep an answer under an ID that nobody can guess.

        Args:
            body: the JSON form of the answer.
            passages: the cited passages.
            maker: name of the caller's key.
            bound: the caller's filters.
            same: what all answers to the same question, on the same state of the index and with
                the same settings, have in common; empty: nothing.
        """
        made = secrets.token_urlsafe(16)
        created = _time(datetime.now(UTC))
        whole = {**body, "answer_id": made, "created": created}
        question = str(body["Question"])
        self._database.write(
            (
                "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (made, same, created, maker, bound, question, _json(whole), _json(passages)),
            )
        )
        return StoredAnswer(made, created, maker, bound, question, whole, passages)

    def get(self, answer_id: str, bound: str) -> StoredAnswer | None:
        """Return an answer; None where there is none that a caller with these filters may read."""
        row = self._database.one("SELECT * FROM answers WHERE id = ?", answer_id)
        found = None if row is None else _answer(row)
        return found if found is not None and found.visible_to(bound) else None

    def same(self, same: str) -> StoredAnswer | None:
        """Return the newest answer with this in common."""
        row = self._database.one(
            "SELECT * FROM answers WHERE same = ? ORDER BY rowid DESC LIMIT 1", same
        )
        return None if row is None else _answer(row)

    def newest(self, count: int) -> list[StoredAnswer]:
        """Return the newest answers, newest first."""
        rows = self._database.all("SELECT * FROM answers ORDER BY rowid DESC LIMIT ?", count)
        return [_answer(row) for row in rows]

    def delete(self, answer_id: str) -> int:
        """Delete an answer, its question and its feedback; return how many answers were there."""
        return self._database.write(
            ("DELETE FROM feedback WHERE answer_id = ?", (answer_id,)),
            ("DELETE FROM answers WHERE id = ?", (answer_id,)),
        )

    def delete_older(self, days: int) -> int:
        """Delete what was stored at least so many days ago; return how many answers these were."""
        until = (_time(datetime.now(UTC) - timedelta(days=days)),)
        old = "DELETE FROM feedback WHERE answer_id IN (SELECT id FROM answers WHERE created <= ?)"
        return self._database.write((old, until), ("DELETE FROM answers WHERE created <= ?", until))


def _time(when: datetime) -> str:
    return when.isoformat(timespec="seconds")


def _answer(row: sqlite3.Row) -> StoredAnswer:
    return StoredAnswer(
        row["id"], row["created"], row["maker"], row["bound"], row["question"],
        json.loads(row["body"]), json.loads(row["passages"]),
    )  # fmt: skip


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)
