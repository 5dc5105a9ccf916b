"""The documents of a load in one file, from the reader that fills it to the engine that reads it.

SQLite keeps it in an unnamed temporary file, which the system removes even after `kill -9`; memory
does not grow with what is loaded.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple
from itertools import starmap
from typing import Self

from search.engines.stored_rows import Record, StoredRow, passage_of, stored_row
from search.errors import StorageError
from search.messages.refusals import taken_id


class Staging:
    """Documents with their records, in the order in which their IDs first came."""

    TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -32768;
CREATE TABLE documents (number INTEGER PRIMARY KEY, document_id TEXT UNIQUE, title TEXT,
                        content_hash TEXT, history TEXT NOT NULL DEFAULT '');
CREATE TABLE passages (position INTEGER PRIMARY KEY, document_id TEXT, id TEXT UNIQUE, parent TEXT,
                       body TEXT, numbers TEXT, vector_hash TEXT, tokens TEXT);
CREATE INDEX in_document ON passages (document_id, position);
"""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._run_many = connection.executemany

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Self]:
        """Open an empty file; it is gone afterwards.

        Raises:
            StorageError: the temporary folder is full or cannot be written.
        """
        try:
            # Several threads send rows to a server, one at a time.
            connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            with closing(connection):
                connection.executescript(cls.TABLES)
                yield cls(connection)
        except sqlite3.OperationalError as error:
            raise StorageError(
                f"the temporary folder cannot be used ({error}); free some space, or set "
                "TMPDIR to another"
            ) from error

    def put(
        self, document_id: str, content_hash: str, records: Iterable[Record], history: str = ""
    ) -> None:
        """Keep a complete document; what is here of it gives way.

        Args:
            document_id: of the document.
            content_hash: of all that it holds.
            records: its passages, in order.
            history: its versions (`search.versions.history`); empty: it has none.

        Raises:
            InputError: a passage has the ID of another one.
        """
        self._run(
            "INSERT INTO documents (document_id, content_hash, history) VALUES (?, ?, ?) "
            "ON CONFLICT (document_id) DO UPDATE SET content_hash = excluded.content_hash, "
            "history = excluded.history",
            (document_id, content_hash, history),
        )
        self._run("DELETE FROM passages WHERE document_id = ?", (document_id,))
        for row in map(stored_row, records):
            self._add(document_id, row)

    def _add(self, document_id: str, row: StoredRow) -> None:
        try:
            self._run(
                "INSERT INTO passages VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                (document_id, *astuple(row)),
            )
        except sqlite3.IntegrityError:
            old = passage_of(self.row(row.id).body)
            raise taken_id(passage_of(row.body), old.passage_id, old.document_id) from None

    def hashes(self) -> dict[str, str]:
        """Return document_id → content hash of the complete documents, in order."""
        return dict(
            self._run(
                "SELECT document_id, content_hash FROM documents "
                "WHERE content_hash IS NOT NULL ORDER BY number"
            )
        )

    def history(self, document_id: str) -> str:
        """Return the versions of a document that is here."""
        sql = "SELECT history FROM documents WHERE document_id = ?"
        found: str = self._run(sql, (document_id,)).fetchone()[0]
        return found

    def rows(self, document_id: str) -> Iterator[StoredRow]:
        """Yield the rows of a document in order."""
        found = self._run(
            "SELECT id, parent, body, numbers, vector_hash, tokens FROM passages "
            "WHERE document_id = ? ORDER BY position",
            (document_id,),
        )
        return starmap(StoredRow, found)

    def row(self, identifier: str) -> StoredRow:
        """Return the row of a passage that is here."""
        found = self._run(
            "SELECT id, parent, body, numbers, vector_hash, tokens FROM passages WHERE id = ?",
            (identifier,),
        )
        return StoredRow(*found.fetchone())

    def parents(self, document_id: str) -> dict[str, str | None]:
        """Return ID → parent's ID of every passage of a document."""
        sql = "SELECT id, parent FROM passages WHERE document_id = ?"
        return dict(self._run(sql, (document_id,)))

    def ids(self) -> Iterator[tuple[str, str]]:
        """Yield (ID, document_id) of every passage of the complete documents."""
        yield from self._run(
            "SELECT id, document_id FROM passages JOIN documents USING (document_id) "
            "WHERE content_hash IS NOT NULL ORDER BY position"
        )

    def counts(self) -> dict[str, int]:
        """Return document_id → number of passages, of complete documents that have any."""
        return dict(Counter(document_id for _, document_id in self.ids()))
