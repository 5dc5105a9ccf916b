"""The passages of a generation, in SQLite: written once, then only read."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from search.engines.embedded import layout
from search.engines.stored_rows import CommonMetadata, StoredRow, passage_of
from search.errors import InputError
from search.messages.refusals import taken_id
from search.records import Passage

SEPARATOR = "\x1f"
"""Between field and value of a facet; no control character survives reading a source."""

_LONGEST_FACET = 8192
"""In characters."""
_ROWS_AT_ONCE = 1024

_MOST_VALUES = 10_000
"""Values of one SQL statement; SQLite may refuse more than 32,766."""

_TABLES = """
CREATE TABLE document (
    position INTEGER PRIMARY KEY, document_id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
    content_hash TEXT NOT NULL, metadata TEXT NOT NULL, first_row INTEGER NOT NULL,
    passages INTEGER NOT NULL, history TEXT NOT NULL);
CREATE TABLE passage (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent TEXT, body TEXT NOT NULL,
    numbers TEXT NOT NULL, vector_hash TEXT NOT NULL, tokens TEXT NOT NULL);
CREATE TABLE number (key TEXT, row INTEGER, PRIMARY KEY (key, row)) WITHOUT ROWID;
CREATE TABLE filter (
    field TEXT, value TEXT, start INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (field, value)) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX passage_parent ON passage (parent);
CREATE INDEX passage_vector ON passage (vector_hash);
"""
_LOOKUPS = {
    "id": "SELECT row FROM passage WHERE id IN",
    "parent": "SELECT row FROM passage WHERE parent IN",
    "number": "SELECT row FROM number WHERE key IN",
}


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it is stored; its rows are `first_row` … `first_row + passages - 1`."""

    document_id: str
    title: str
    content_hash: str
    metadata: str
    first_row: int
    passages: int


def facet(field: str, value: str) -> str:
    """Return the term that stands for `field` having `value`.

    The SHA-256 stands for a long one, which tantivy would silently drop.
    """
    text = f"{field}{SEPARATOR}{value}"
    short = len(text) <= _LONGEST_FACET
    return text if short else f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


class StoreWriter:
    """Writes the store of a new generation."""

    def __init__(self, folder: Path) -> None:
        self._connection = sqlite3.connect(folder / layout.PASSAGES)
        self._connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _TABLES)
        self.rows = 0
        self._documents = 0

    def add(
        self, document_id: str, content_hash: str, rows: Iterable[StoredRow], history: str
    ) -> None:
        """Append a document; one without passages is left out."""
        first, common = self.rows, CommonMetadata()
        for row in rows:
            self._add_row(row)
            common.add(passage_of(row.body))
        if not common.passages:
            return
        metadata = json.dumps(common.metadata())
        self._connection.execute(
            "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (self._documents, document_id, common.title, content_hash, metadata, first,
             common.passages, history),
        )  # fmt: skip
        self._documents += 1

    def _add_row(self, row: StoredRow) -> None:
        try:
            self._connection.execute(
                "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self.rows, *astuple(row)),
            )
        except sqlite3.IntegrityError:
            raise self._taken(row) from None
        self._connection.executemany(
            "INSERT OR IGNORE INTO number VALUES (?, ?)",
            [(key, self.rows) for key in json.loads(row.numbers)],
        )
        self.rows += 1

    def _taken(self, row: StoredRow) -> InputError:
        sql = "SELECT body FROM passage WHERE id = ?"
        (body,) = self._connection.execute(sql, (row.id,)).fetchone()
        old = passage_of(body)
        return taken_id(passage_of(row.body), old.passage_id, old.document_id)

    def add_filter(self, field: str, value: str, start: int, count: int) -> None:
        """Record where the row numbers of a filter value are."""
        self._connection.execute(
            "INSERT INTO filter VALUES (?, ?, ?, ?)", (field, value, start, count)
        )

    def close(self) -> None:
        """Build the indexes and close."""
        self._connection.executescript(_INDEXES)
        self._connection.commit()
        self._connection.close()


class Store:
    """Reads the store of a generation; safe to use from several threads.

    The file is opened once and kept open, so that it stays readable when a later load removes the
    generation's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / layout.PASSAGES
        # It never changes, so SQLite needs no locks.
        uri = f"{self._path.resolve().as_uri()}?immutable=1"
        self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._lock = threading.Lock()
        self._execute("SELECT 1 FROM passage LIMIT 1")  # opens the file now

    def _execute(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()

    def _having(self, sql: str, values: Sequence[object], *before: object) -> Iterator[Any]:
        """Yield what a statement that ends in `IN` finds, for any number of values.

        Values of placeholders before it are given by `before`.
        """
        for start in range(0, len(values), _MOST_VALUES):
            part = values[start : start + _MOST_VALUES]
            marks = ",".join("?" * len(part))
            yield from self._execute(f"{sql} ({marks})", (*before, *part))

    def close(self) -> None:
        """Close the file, once nobody is reading a row."""
        with self._lock:
            self._connection.close()

    def documents(self) -> Iterator[StoredDocument]:
        """Yield the documents in order."""
        columns = "document_id, title, content_hash, metadata, first_row, passages"
        for values in self._execute(f"SELECT {columns} FROM document ORDER BY position"):  # noqa: S608
            yield StoredDocument(*values)

    def history(self, document_id: str) -> str:
        """Return the versions of a document."""
        found = self._execute("SELECT history FROM document WHERE document_id = ?", (document_id,))
        return str(found[0][0]) if found else ""

    def rows_of(self, document: StoredDocument) -> Iterator[StoredRow]:
        """Yield a document's rows in order."""
        last = document.first_row + document.passages
        for first in range(document.first_row, last, _ROWS_AT_ONCE):
            for values in self._execute(
                "SELECT id, parent, body, numbers, vector_hash, tokens FROM passage "
                "WHERE row >= ? AND row < ? ORDER BY row",
                (first, min(first + _ROWS_AT_ONCE, last)),
            ):
                yield StoredRow(*values)

    def passages(self, rows: Sequence[int]) -> list[Passage]:
        """Return the passages of rows, in the order asked."""
        found = dict(self._having("SELECT row, body FROM passage WHERE row IN", sorted(set(rows))))
        return [passage_of(found[row]) for row in rows]

    def rows(self, lookup: str, values: Sequence[str]) -> list[int]:
        """Return the rows that a lookup (`protocol.LOOKUPS`) names by one of the values."""
        return sorted({row for (row,) in self._having(_LOOKUPS[lookup], values)})

    def filter_ranges(self, field: str, values: Sequence[str]) -> list[tuple[int, int]]:
        """Return (start, count) in the filter file for each known value of a field."""
        sql = "SELECT start, count FROM filter WHERE field = ? AND value IN"
        return list(self._having(sql, values, field))

    def filter_values(self, field: str) -> tuple[str, ...]:
        """Return the values of a filter field."""
        found = self._execute("SELECT value FROM filter WHERE field = ? ORDER BY value", (field,))
        return tuple(value for (value,) in found)

    def row_of_vector(self, vector_hash: str) -> int | None:
        """Return a row whose passage has this vector."""
        found = self._execute(
            "SELECT row FROM passage WHERE vector_hash = ? LIMIT 1", (vector_hash,)
        )
        return int(found[0][0]) if found else None

    def check(self) -> list[str]:
        """Run SQLite's own consistency check."""
        answers = [text for (text,) in self._execute("PRAGMA quick_check")]
        return [] if answers == ["ok"] else [f"{self._path}: {text}" for text in answers]
