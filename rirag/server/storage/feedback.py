"""What readers say of stored answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from rirag.server.storage.database import Database
from search.json_form import Record

Verdict = Literal["right", "incomplete", "irrelevant", "wrong"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

COLUMNS = ("id", "created", "answer_id", "question", "verdict", "citation", "comment", "maker")


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


class Feedback:
    """The feedback that a server was given."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, answer_id: str, verdict: Verdict, citation: str, comment: str, maker: str
    ) -> None:
        """Keep an opinion of a stored answer."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        self._database.write(
            (
                "INSERT INTO feedback (answer_id, created, maker, verdict, citation, comment) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (answer_id, created, maker, verdict, citation, comment),
            )
        )

    def page(self, limit: int, before: int | None = None, bound: str = "") -> list[FeedbackEntry]:
        """Return opinions, newest first.

        Args:
            limit: the most.
            before: `id` of the oldest one seen; None: begin with the newest.
            bound: filters of the caller, who sees what is said of answers with these filters.
        """
        rows = self._database.all(
            "SELECT feedback.*, answers.question FROM feedback "
            "JOIN answers ON answers.id = answer_id "
            "WHERE feedback.id < ? AND (? = '' OR answers.bound = ?) "
            "ORDER BY feedback.id DESC LIMIT ?",
            2**62 if before is None else before, bound, bound, limit,
        )  # fmt: skip
        return [FeedbackEntry(**{name: row[name] for name in COLUMNS}) for row in rows]
