"""The SQLite file of a server."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

from rirag.refusals import failed

T = TypeVar("T")

FILE = "server.sqlite3"
NEWEST = 2**62
"""Above the number of every row."""
VERSION = 1


def now() -> str:
    """Return the time as it is stored: UTC, ISO 8601, whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Database:
    """One connection, used by one thread at a time; every write is synced before it returns."""

    def __init__(self, folder: Path) -> None:
        """Open the file in a folder, and make both where they are not there."""
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
                raise failed("storage.failed/newer", path=path)
            tables = (files(__package__) / "tables.sql").read_text("utf-8")
            self._connection.executescript(tables)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
        except OSError as error:
            raise failed("storage.failed/folder", path=folder, error=error) from None
        except sqlite3.Error as error:
            raise failed("storage.failed/database", path=folder / FILE, error=error) from None

    def all(self, query: str, *values: Any) -> list[sqlite3.Row]:
        """Return the rows of a query."""
        with self._used() as connection:
            return connection.execute(query, values).fetchall()

    def one(self, query: str, *values: Any) -> sqlite3.Row | None:
        """Return the first row of a query."""
        return next(iter(self.all(query, *values)), None)

    def write(self, statement: str, *values: Any) -> int:
        """Run a statement; return how many rows it changed."""
        return self.write_all((statement, values))

    def write_all(self, *statements: tuple[str, Sequence[Any]]) -> int:
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
                raise failed(
                    "storage.failed/database", path=self.folder / FILE, error=error
                ) from None


class Rows(Generic[T]):
    """The rows of a table; a caller sees those that were made under the same filters."""

    def __init__(
        self, database: Database, table: str, made: Callable[[sqlite3.Row], T], place: str = "rowid"
    ) -> None:
        """Take the name of the table, what makes records of its rows, and what counts them."""
        self._database = database
        self._made = made
        self._one = f"SELECT * FROM {table} WHERE id = ? AND ? IN ('', bound)"  # noqa: S608 - ours
        self._page = (
            f"SELECT {place} AS place, * FROM {table} WHERE {place} < ? "  # noqa: S608 - ours
            f"AND ? IN ('', bound) ORDER BY {place} DESC LIMIT ?"
        )

    def get(self, key: str, bound: str = "") -> T | None:
        """Return the record of an ID; None where a caller with these filters may see none."""
        row = self._database.one(self._one, key, bound)
        return None if row is None else self._made(row)

    def page(self, limit: int, before: int | None = None, bound: str = "") -> list[tuple[int, T]]:
        """Return records with their places, newest first, from `before` one of these places."""
        until = NEWEST if before is None else before
        rows = self._database.all(self._page, until, bound, limit)
        return [(row["place"], self._made(row)) for row in rows]
