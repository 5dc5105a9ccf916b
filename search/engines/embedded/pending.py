"""Vectors that a load has computed but not yet published; they survive `kill -9`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search.models.unit_vectors import check_vectors
from search.records import EncoderIdentity


class PendingVectors:
    """A small SQLite file of float16 vectors by hash, bound to one encoder."""

    def __init__(self, path: Path, encoder: EncoderIdentity) -> None:
        self._path = path
        self._made_by = encoder
        self._encoder = f"{encoder.name} {encoder.revision} {encoder.dimension}"
        try:
            self._connection = self._open()
        except sqlite3.OperationalError:
            raise  # locked, or not to be opened: what it holds may be hours of work
        except sqlite3.DatabaseError:
            # Only a saving of time is lost: a damaged file is not worth an error.
            self.discard()
            self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the tables, and empty them of what another encoder has left."""
        connection.execute("CREATE TABLE IF NOT EXISTS encoder (identity TEXT)")
        connection.execute("CREATE TABLE IF NOT EXISTS vector (hash TEXT PRIMARY KEY, data BLOB)")
        owner = connection.execute("SELECT identity FROM encoder").fetchone()
        if owner != (self._encoder,):
            connection.execute("DELETE FROM encoder")
            connection.execute("DELETE FROM vector")
            connection.execute("INSERT INTO encoder VALUES (?)", (self._encoder,))
        connection.commit()

    def add(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep vectors, shape (hashes, dimension); on the disk when this returns.

        Raises:
            ModelError: they are not what an index can keep.
        """
        halves = check_vectors(vectors, len(hashes), self._made_by).astype(np.float16)
        rows = [(name, half.tobytes()) for name, half in zip(hashes, halves, strict=True)]
        self._connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)
        self._connection.commit()

    def __len__(self) -> int:
        (count,) = self._connection.execute("SELECT COUNT(*) FROM vector").fetchone()
        return int(count)

    def known(self, hashes: Iterable[str]) -> set[str]:
        """Return which of the hashes are here."""
        sql = "SELECT 1 FROM vector WHERE hash = ?"
        return {name for name in hashes if self._connection.execute(sql, (name,)).fetchone()}

    def get(self, name: str) -> NDArray[np.float16] | None:
        """Return one vector."""
        sql = "SELECT data FROM vector WHERE hash = ?"
        found = self._connection.execute(sql, (name,)).fetchone()
        return np.frombuffer(found[0], np.float16) if found else None

    def close(self) -> None:
        """Close the file and keep it."""
        self._connection.close()

    def discard(self) -> None:
        """Remove the file: what it held is published or worthless."""
        for suffix in ("", "-journal", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
