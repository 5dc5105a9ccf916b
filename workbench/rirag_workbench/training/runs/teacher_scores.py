"""A file of the scores of a teacher, so that no pair of question and passage is scored twice."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from search.errors import StorageError

SCORES_FILE = "teacher.sqlite"
"""Its name in the working folder of a run."""

Pair = tuple[str, str]
"""Question and text of a passage."""


class TeacherScores:
    """Scores of the teacher of a run; they survive `kill -9`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, work: Path) -> Iterator[TeacherScores]:
        """Open or create the file in the working folder of a run.

        Raises:
            StorageError: it cannot be read or written.
        """
        connection = sqlite3.connect(work / SCORES_FILE)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS scores (pair BLOB PRIMARY KEY, score REAL) "
                "WITHOUT ROWID"
            )
            yield cls(connection)
        except sqlite3.Error as error:
            raise StorageError(
                f"the scores of the teacher cannot be stored in {work / SCORES_FILE} ({error}); "
                "free some space or delete the file, and continue with --resume"
            ) from error
        finally:
            connection.close()

    def known(self) -> dict[bytes, float]:
        """Return all scores, by `digest` of the pair."""
        return dict(self._connection.execute("SELECT pair, score FROM scores").fetchall())

    def add(self, scores: Mapping[bytes, float]) -> None:
        """Store scores, by `digest` of the pair: all of them or none."""
        with self._connection:
            self._connection.executemany("INSERT INTO scores VALUES (?, ?)", scores.items())


def digest(pair: Pair) -> bytes:
    """Return the key of a pair."""
    return hashlib.sha256("\0".join(pair).encode()).digest()[:16]
