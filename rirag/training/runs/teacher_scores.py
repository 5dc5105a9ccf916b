"""A file of what teachers said: no pair of question and passage is scored twice."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from search.errors import InputError

SCORES_FILE = "teacher.sqlite"
"""Its name in the working folder of a run, unless another file is named."""

_SCORES = "SELECT pair, score FROM scores WHERE teacher = ?"

Pair = tuple[str, str]
"""Question and text of a passage."""


class TeacherScores:
    """Scores of one teacher; they survive `kill -9`, and several runs may share the file."""

    def __init__(self, connection: sqlite3.Connection, teacher: str) -> None:
        self._connection = connection
        self._teacher = teacher

    @classmethod
    @contextmanager
    def open(cls, path: Path, teacher: str) -> Iterator[TeacherScores]:
        """Open a file, or make it.

        Args:
            path: of the file.
            teacher: whatever tells it from others, such as its name and a hash of its weights.

        Raises:
            InputError: the file is something else, or cannot be written.
        """
        try:
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS scores (teacher TEXT, pair BLOB, score REAL, "
                "PRIMARY KEY (teacher, pair)) WITHOUT ROWID"
            )
            connection.execute(_SCORES, ("",))  # a table of this name may be something else
        except sqlite3.Error as error:
            raise InputError(
                f"the scores of a teacher cannot be stored here: {error}; choose another file.",
                path,
                code="training.data",
            ) from error
        try:
            yield cls(connection, teacher)
        finally:
            connection.close()

    def known(self) -> dict[bytes, float]:
        """Return all scores of the teacher, by `digest` of the pair."""
        return dict(self._connection.execute(_SCORES, (self._teacher,)).fetchall())

    def add(self, scores: Mapping[bytes, float]) -> None:
        """Keep scores, by `digest` of the pair: all of them or none."""
        rows: Iterable[tuple[str, bytes, float]] = (
            (self._teacher, pair, score) for pair, score in scores.items()
        )
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?)", rows)
        self._connection.execute("COMMIT")


def digest(pair: Pair) -> bytes:
    """Return what a pair is known by."""
    return hashlib.sha256("\0".join(pair).encode()).digest()[:16]
