"""The passages of one run: read, arranged with their records, and with what became of their texts.

They are in the staging file that the engine reads in the end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from indexer.hierarchy.passage_ids import renamed
from indexer.hierarchy.tree import arrange
from indexer.load.works import Identified
from search.contexts import IN_CONTEXT
from search.engines.staging import Staging
from search.engines.stored_rows import Record, body_of, passage_of
from search.records import Passage

MISSING, KNOWN, ENCODED, TRUNCATED, FAILED = "missing", "known", "encoded", "truncated", "failed"
ELSEWHERE = "elsewhere"
"""States of a text that needs a vector; `elsewhere`: it is in another shard."""


class Spool(Staging):
    """Passages of a run by document, and the texts among them that need a vector."""

    TABLES = f"""{Staging.TABLES}
CREATE TABLE texts (vector_hash TEXT PRIMARY KEY, position INTEGER, length INTEGER, state TEXT);
CREATE TABLE unencoded (position INTEGER PRIMARY KEY, why TEXT);
CREATE INDEX in_order ON texts (state, position);
"""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.contexts = IN_CONTEXT
        """What is read before the texts."""
        self.versions: dict[str, Identified] = {}
        """Name under which the text of a version is here → its work and version."""

    def add(self, passage: Passage) -> None:
        """Keep a passage as it was read, at the end of its document; its `id` must be new."""
        self._run(
            "INSERT INTO documents (document_id, title) VALUES (?, ?) ON CONFLICT (document_id) "
            "DO UPDATE SET title = excluded.title WHERE title = ''",
            (passage.document_id, passage.document_title),
        )
        self._run(
            "INSERT INTO passages (document_id, id, body) VALUES (?, ?, ?)",
            (passage.document_id, passage.id, body_of(passage)),
        )

    def add_version(self, found: Identified) -> str:
        """Return the name under which a version is kept; a run may hold it twice."""
        name = f"{found.work}@{found.version.version_id}"
        while name in self.versions:
            name += "+"
        self.versions[name] = found
        return name

    def work_of(self, name: str) -> str:
        """Return the document that a name here stands for."""
        return self.versions[name].work if name in self.versions else name

    def arranged(self, name: str, title: str) -> list[Passage]:
        """Return the passages of a document, or of a version of one, with their places in it."""
        passages = list(self.passages(name))
        if name in self.versions:
            passages = list(renamed(passages, self.versions[name].work))
        return arrange(passages, title)

    def remove(self, document_id: str) -> None:
        """Forget a document that is not arranged yet; an unknown one changes nothing."""
        self._run("DELETE FROM passages WHERE document_id = ?", (document_id,))
        self._run("DELETE FROM documents WHERE document_id = ?", (document_id,))

    def find(self, passage_id: str) -> Passage | None:
        """Return the passage with an `id`, if there is one."""
        row = self._run("SELECT body FROM passages WHERE id = ?", (passage_id,)).fetchone()
        return passage_of(row[0]) if row else None

    def documents(self) -> list[tuple[str, str]]:
        """Return (document_id, title) in the order of their first passages."""
        return self._run("SELECT document_id, title FROM documents ORDER BY number").fetchall()

    def passages(self, document_id: str) -> Iterator[Passage]:
        """Yield the passages of a document in order."""
        sql = "SELECT body FROM passages WHERE document_id = ? ORDER BY position"
        return (passage_of(body) for (body,) in self._run(sql, (document_id,)))

    def put(
        self, document_id: str, content_hash: str, records: Iterable[Record], history: str = ""
    ) -> None:
        """Replace a document by its arranged form, and note the texts that need a vector."""
        super().put(document_id, content_hash, records, history)
        self._run(
            "INSERT OR IGNORE INTO texts SELECT vector_hash, position, "
            "length(json_extract(body, '$.text')), 'missing' FROM passages "
            "WHERE document_id = ? AND vector_hash != '' ORDER BY position",
            (document_id,),
        )

    def missing(self, at_once: int) -> Iterator[list[tuple[int, str, int]]]:
        """Yield (position, vector hash, characters) of texts without a vector, in order.

        Args:
            at_once: how many a list has, but for the last.
        """
        after = 0
        while found := self._run(
            "SELECT position, vector_hash, length FROM texts WHERE state = ? AND position > ? "
            "ORDER BY position LIMIT ?",
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
        """Note that texts could not be encoded: their passages are kept without a vector."""
        for text_hash, why in failed:
            self._run("UPDATE texts SET state = ? WHERE vector_hash = ?", (FAILED, text_hash))
            self._run(
                "INSERT INTO unencoded SELECT position, ? FROM passages WHERE vector_hash = ?",
                (why, text_hash),
            )
            # Another hash, so that the next load of the same source tries again.
            self._run(
                "UPDATE documents SET content_hash = content_hash || '-unencoded' "
                "WHERE content_hash NOT LIKE '%-unencoded' AND document_id IN "
                "(SELECT document_id FROM passages WHERE vector_hash = ?)",
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


WINDOW = 8192
"""Texts sorted by length together. Of the ADGM passages, in batches of 32, 1.5 % of the words
are then padding; at 2,048 it is 4.9 %, at 512 it is 23 % (measured)."""

BATCH = 256
"""Texts encoded and kept at once: what a `kill -9` can lose."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts of similar length, and the hashes that their vectors go by."""

    positions: tuple[int, ...]
    """Places in the spool."""
    hashes: tuple[str, ...]


def batches(spool: Spool) -> Iterator[Batch]:
    """Yield the texts without a vector, window by window, from short to long."""
    for window in spool.missing(WINDOW):
        texts = sorted(window, key=lambda text: (text[2], text[0]))
        for start in range(0, len(texts), BATCH):
            positions, hashes, _ = zip(*texts[start : start + BATCH], strict=True)
            yield Batch(positions, hashes)
