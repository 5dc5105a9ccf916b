"""The SQLite file of a server."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from search.errors import StorageError

FILE = "server.sqlite3"
VERSION = 1

_TABLES = """
CREATE TABLE IF NOT EXISTS answers (
  id TEXT PRIMARY KEY, same TEXT NOT NULL, created TEXT NOT NULL, maker TEXT NOT NULL,
  bound TEXT NOT NULL, question TEXT NOT NULL, body TEXT NOT NULL, passages TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_same ON answers (same);
CREATE TABLE IF NOT EXISTS feedback (
  id INTEGER PRIMARY KEY, answer_id TEXT NOT NULL REFERENCES answers (id), created TEXT NOT NULL,
  maker TEXT NOT NULL, verdict TEXT NOT NULL, citation TEXT NOT NULL, comment TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS jobs (
  id TEXT PRIMARY KEY, same TEXT NOT NULL, created TEXT NOT NULL, maker TEXT NOT NULL,
  bound TEXT NOT NULL, state TEXT NOT NULL, starts INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS jobs_state ON jobs (state);
"""


class Database:
    """One connection, used by one thread at a time; every write is synced before it returns."""

    def __init__(self, folder: Path) -> None:
        """Open the file in a folder, and make both where they are not there.

        Raises:
            StorageError: they cannot be made, written, or are those of a newer rirag.
        """
        self.folder = folder
        self._lock = threading.RLock()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = folder / FILE
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._connection = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=30
            )
            self._connection.row_factory = sqlite3.Row
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            version = int(self._connection.execute("PRAGMA user_version").fetchone()[0])
            if version > VERSION:
                raise StorageError(
                    f"{path} was written by a newer rirag; use that version, or "
                    "another --data folder"
                )
            self._connection.executescript(_TABLES)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
        except OSError as error:
            raise StorageError(f"{folder}: it cannot be written: {error.strerror}.") from None
        except sqlite3.Error as error:
            raise StorageError(f"{folder / FILE}: the file cannot be used: {error}.") from None

    def all(self, query: str, *values: Any) -> list[sqlite3.Row]:
        """Return the rows of a query."""
        with self._used() as connection:
            return connection.execute(query, values).fetchall()

    def one(self, query: str, *values: Any) -> sqlite3.Row | None:
        """Return the first row of a query."""
        with self._used() as connection:
            row: sqlite3.Row | None = connection.execute(query, values).fetchone()
            return row

    def write(self, *statements: tuple[str, Sequence[Any]]) -> int:
        """Run statements together; return how many rows the last one changed."""
        with self._used() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                changed = [
                    connection.execute(query, values).rowcount for query, values in statements
                ]
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # on a full disk SQLite has rolled back by itself
                    connection.execute("ROLLBACK")
                raise
            return changed[-1]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise StorageError(
                    f"{self.folder / FILE}: the file cannot be used: {error}."
                ) from None
