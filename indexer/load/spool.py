"""A place on disk for the passages of one run, so that memory does not grow with the corpus.

SQLite keeps it in an unnamed temporary file, which the system removes even after `kill -9`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from indexer.load.context import IN_CONTEXT
from search.engines.stored_rows import body_of, passage_of
from search.errors import StorageError
from search.records import Passage

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -32768;
CREATE TABLE documents (number INTEGER PRIMARY KEY, document_id TEXT UNIQUE, title TEXT,
                        content_hash TEXT);
CREATE TABLE passages (position INTEGER PRIMARY KEY, document INTEGER, id TEXT UNIQUE,
                       length INTEGER, body TEXT, vector_hash TEXT);
CREATE INDEX in_document ON passages (document, position);
CREATE TABLE texts (vector_hash TEXT PRIMARY KEY, position INTEGER, state TEXT);
CREATE TABLE unencoded (position INTEGER PRIMARY KEY, why TEXT);
CREATE INDEX in_order ON texts (state, position);
"""

MISSING, KNOWN, ENCODED, TRUNCATED, FAILED = "missing", "known", "encoded", "truncated", "failed"
ELSEWHERE = "elsewhere"
"""States of a text that needs a vector; `elsewhere`: it is in another shard."""


@contextmanager
def open_spool() -> Iterator[Spool]:
    """Open an empty spool; it is gone afterwards.

    Raises:
        StorageError: the temporary folder is full or cannot be written.
    """
    try:
        connection = sqlite3.connect("", isolation_level=None)
        try:
            connection.executescript(_TABLES)
            yield Spool(connection)
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        raise StorageError(
            f"the temporary folder cannot be used ({error}); free some space, or set "
            "TMPDIR to another"
        ) from error


class Spool:
    """Passages of a run by document, and the texts among them that need a vector."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute
        self._run_many = connection.executemany
        self.contexts = IN_CONTEXT
        """What is read before the texts."""

    def add(self, passage: Passage) -> None:
        """Keep a passage at the end of its document; its `id` must be new."""
        self._run(
            "INSERT INTO documents (document_id, title) VALUES (?, ?) ON CONFLICT (document_id) "
            "DO UPDATE SET title = excluded.title WHERE title = ''",
            (passage.document_id, passage.document_title),
        )
        self._run(
            "INSERT INTO passages (document, id, length, body) "
            "SELECT number, ?, ?, ? FROM documents WHERE document_id = ?",
            (passage.id, len(passage.text), body_of(passage), passage.document_id),
        )

    def remove(self, document_id: str) -> None:
        """Forget a document that is not arranged yet; an unknown one changes nothing."""
        self._run(
            "DELETE FROM passages WHERE document = "
            "(SELECT number FROM documents WHERE document_id = ?)",
            (document_id,),
        )
        self._run("DELETE FROM documents WHERE document_id = ?", (document_id,))

    def find(self, passage_id: str) -> Passage | None:
        """Return the passage with an `id`, if there is one."""
        row = self._run("SELECT body FROM passages WHERE id = ?", (passage_id,)).fetchone()
        return passage_of(row[0]) if row else None

    def documents(self) -> list[tuple[str, str]]:
        """Return (document_id, title) in the order of their first passages."""
        return self._run("SELECT document_id, title FROM documents ORDER BY number").fetchall()

    def passages(self, document_id: str) -> Iterator[tuple[Passage, str]]:
        """Yield the passages of a document in order, each with its vector hash (or "")."""
        rows = self._run(
            "SELECT body, vector_hash FROM passages WHERE document = "
            "(SELECT number FROM documents WHERE document_id = ?) ORDER BY position",
            (document_id,),
        )
        for body, vector_hash in rows:
            yield passage_of(body), vector_hash or ""

    def keep_arranged(
        self, document_id: str, content_hash: str, passages: Iterable[tuple[Passage, str]]
    ) -> None:
        """Replace a document's passages by their arranged form, with their vector hashes.

        An empty hash means that the passage has no vector.
        """
        self._run(
            "UPDATE documents SET content_hash = ? WHERE document_id = ?",
            (content_hash, document_id),
        )
        rows = [(body_of(passage), text_hash, passage.id) for passage, text_hash in passages]
        self._run_many("UPDATE passages SET body = ?, vector_hash = ? WHERE id = ?", rows)
        self._run_many(
            "INSERT OR IGNORE INTO texts SELECT vector_hash, position, 'missing' "
            "FROM passages WHERE id = ? AND vector_hash != ''",
            [(row[2],) for row in rows],
        )

    def arranged(self) -> list[tuple[str, str]]:
        """Return (document_id, content hash) of the documents that were kept arranged."""
        return self._run(
            "SELECT document_id, content_hash FROM documents "
            "WHERE content_hash IS NOT NULL ORDER BY number"
        ).fetchall()

    def missing(self, at_once: int) -> Iterator[list[tuple[int, str, int]]]:
        """Yield (position, vector hash, characters) of texts without a vector, in order.

        Args:
            at_once: how many a list has, but for the last.
        """
        after = 0
        while found := self._run(
            "SELECT texts.position, texts.vector_hash, length FROM texts "
            "JOIN passages USING (position) WHERE state = ? AND texts.position > ? "
            "ORDER BY texts.position LIMIT ?",
            (MISSING, after, at_once),
        ).fetchall():
            yield found
            after = found[-1][0]

    def at(self, positions: Sequence[int]) -> list[Passage]:
        """Return the passages at positions."""
        sql = "SELECT body FROM passages WHERE position = ?"
        return [passage_of(self._run(sql, (place,)).fetchone()[0]) for place in positions]

    def mark(self, hashes: Iterable[str], state: str) -> None:
        """Note what became of texts."""
        self._run_many(
            "UPDATE texts SET state = ? WHERE vector_hash = ?", [(state, h) for h in hashes]
        )

    def count(self, *states: str) -> int:
        """Return how many texts are in any of the states."""
        sql = "SELECT COUNT(*) FROM texts WHERE state = ?"
        return sum(int(self._run(sql, (state,)).fetchone()[0]) for state in states)

    def leave_without_vector(self, failed: Iterable[tuple[str, str]]) -> None:
        """Note that texts could not be encoded: their passages are kept without a vector.

        Args:
            failed: vector hash of each, and why.
        """
        for text_hash, why in failed:
            self._run("UPDATE texts SET state = ? WHERE vector_hash = ?", (FAILED, text_hash))
            self._run(
                "INSERT INTO unencoded SELECT position, ? FROM passages WHERE vector_hash = ?",
                (why, text_hash),
            )
            # Another hash, so that the next load of the same source tries again.
            self._run(
                "UPDATE documents SET content_hash = content_hash || '-unencoded' "
                "WHERE content_hash NOT LIKE '%-unencoded' AND number IN "
                "(SELECT document FROM passages WHERE vector_hash = ?)",
                (text_hash,),
            )
            self._run("UPDATE passages SET vector_hash = '' WHERE vector_hash = ?", (text_hash,))

    def unencoded(self) -> Iterator[tuple[Passage, str]]:
        """Yield the passages whose text could not be encoded, each with the reason, in order."""
        rows = self._run(
            "SELECT body, why FROM passages JOIN unencoded USING (position) ORDER BY position"
        )
        for body, why in rows:
            yield passage_of(body), why

    def truncated(self) -> Iterator[Passage]:
        """Yield the passages whose text did not fit the encoder, in order."""
        rows = self._run(
            "SELECT body FROM passages JOIN texts USING (vector_hash) WHERE state = ? "
            "ORDER BY passages.position",
            (TRUNCATED,),
        )
        for (body,) in rows:
            yield passage_of(body)
