"""The documents given to a load, kept in a file until it commits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from search.engines.stored_rows import StoredRow


class Staged:
    """A SQLite file of documents and their rows, in the order given."""

    def __init__(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        self._path = path
        self._connection = sqlite3.connect(path, check_same_thread=False)
        self._connection.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
            "CREATE TABLE document (document_id TEXT PRIMARY KEY, content_hash TEXT);"
            "CREATE TABLE staged (sequence INTEGER PRIMARY KEY, document_id TEXT, id TEXT,"
            " parent TEXT, body TEXT, numbers TEXT, vector_hash TEXT, tokens TEXT, context TEXT);"
            "CREATE INDEX staged_document ON staged (document_id, sequence);"
        )

    def put(self, document_id: str, content_hash: str, rows: Iterable[StoredRow]) -> None:
        """Take a document; one of this name that is here already gives way."""
        execute = self._connection.execute
        execute("DELETE FROM staged WHERE document_id = ?", (document_id,))
        execute("INSERT OR REPLACE INTO document VALUES (?, ?)", (document_id, content_hash))
        self._connection.executemany(
            "INSERT INTO staged VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (document_id, row.id, row.parent, row.body, row.numbers, row.vector_hash,
                 row.tokens, row.context)
                for row in rows
            ),
        )  # fmt: skip
        self._connection.commit()

    def remove(self, document_id: str) -> None:
        """Forget a document."""
        self._connection.execute("DELETE FROM staged WHERE document_id = ?", (document_id,))
        self._connection.execute("DELETE FROM document WHERE document_id = ?", (document_id,))
        self._connection.commit()

    def hashes(self) -> dict[str, str]:
        """Return document_id → content hash, in the order given."""
        return dict(self._connection.execute("SELECT * FROM document ORDER BY rowid"))

    def rows(self, document_id: str) -> Iterator[StoredRow]:
        """Yield the rows of a document in order."""
        for values in self._connection.execute(
            "SELECT id, parent, body, numbers, vector_hash, tokens, context FROM staged "
            "WHERE document_id = ? ORDER BY sequence",
            (document_id,),
        ):
            yield StoredRow(*values)

    def parents(self, document_id: str) -> dict[str, str | None]:
        """Return ID → parent's ID of every passage of a document."""
        sql = "SELECT id, parent FROM staged WHERE document_id = ?"
        return dict(self._connection.execute(sql, (document_id,)))

    def passages(self) -> dict[str, int]:
        """Return document_id → number of passages, of documents that have any."""
        return dict(self._connection.execute("SELECT document_id, COUNT(*) FROM staged GROUP BY 1"))

    def ids(self) -> Iterator[tuple[str, str]]:
        """Yield (ID, document_id) of every passage."""
        yield from self._connection.execute("SELECT id, document_id FROM staged ORDER BY sequence")

    def twin(self) -> tuple[StoredRow, StoredRow] | None:
        """Return the first two rows that have the same ID, in order, if any have."""
        found = self._connection.execute(
            "SELECT id FROM staged GROUP BY id HAVING COUNT(*) > 1 ORDER BY MIN(sequence) LIMIT 1"
        ).fetchone()
        if found is None:
            return None
        first, second = self._connection.execute(
            "SELECT id, parent, body, numbers, vector_hash, tokens, context FROM staged "
            "WHERE id = ? ORDER BY sequence LIMIT 2",
            found,
        )
        return StoredRow(*first), StoredRow(*second)

    def row(self, identifier: str) -> StoredRow:
        """Return the row of an ID that is here."""
        values = self._connection.execute(
            "SELECT id, parent, body, numbers, vector_hash, tokens, context FROM staged "
            "WHERE id = ?",
            (identifier,),
        ).fetchone()
        return StoredRow(*values)

    def discard(self) -> None:
        """Close and remove the file."""
        self._connection.close()
        self._path.unlink(missing_ok=True)
