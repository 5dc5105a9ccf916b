"""Vectors by the hash of their text, in a file that survives `kill -9`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from search.models.encoders.identity import check_vectors
from search.records import EncoderIdentity

_AT_ONCE = 1000


class VectorFile:
    """A small SQLite file, bound to one encoder."""

    def __init__(
        self, path: Path, encoder: EncoderIdentity, kept_as: DTypeLike = np.float32
    ) -> None:
        """Open or make a file; vectors of another encoder are removed from it."""
        self._path = path
        self._made_by = encoder
        self._kept_as = np.dtype(kept_as)
        try:
            self._connection = self._open()
        except sqlite3.OperationalError:
            raise  # locked, or not to be opened: what it holds may be hours of work
        except sqlite3.DatabaseError:
            # Only a saving of time is lost: a damaged file is not worth an error.
            self.discard()
            self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, check_same_thread=False)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE IF NOT EXISTS encoder (name, dimension, revision)")
        connection.execute("CREATE TABLE IF NOT EXISTS vector (hash TEXT PRIMARY KEY, data BLOB)")
        encoder = self._made_by
        identity = (encoder.name, encoder.dimension, encoder.revision)
        if connection.execute("SELECT * FROM encoder").fetchone() != identity:
            connection.execute("DELETE FROM encoder")
            connection.execute("DELETE FROM vector")
            connection.execute("INSERT INTO encoder VALUES (?, ?, ?)", identity)
        connection.commit()

    def add_vectors(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep vectors, shape (hashes, dimension); on the disk when this returns.

        Raises:
            ModelError: they are not what an index can keep.
        """
        kept = check_vectors(vectors, len(hashes), self._made_by).astype(self._kept_as)
        rows = [(name, one.tobytes()) for name, one in zip(hashes, kept, strict=True)]
        self._connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)
        self._connection.commit()

    def __len__(self) -> int:
        (count,) = self._connection.execute("SELECT COUNT(*) FROM vector").fetchone()
        return int(count)

    def known_vectors(self, hashes: Iterable[str]) -> set[str]:
        """Return which of the hashes are here."""
        return {name for (name,) in self._rows("hash", hashes)}

    def vectors(self, hashes: Iterable[str]) -> dict[str, NDArray[Any]]:
        """Return those of the vectors that are here."""
        rows = self._rows("hash, data", hashes)
        return {name: np.frombuffer(data, self._kept_as) for name, data in rows}

    def _rows(self, columns: str, hashes: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        wanted = sorted(set(hashes))
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            sql = f"SELECT {columns} FROM vector WHERE hash IN ({marks})"  # noqa: S608
            yield from self._connection.execute(sql, part)

    def close(self) -> None:
        """Close the file and keep it."""
        self._connection.close()

    def discard(self) -> None:
        """Remove the file: what it held is published or worthless."""
        for suffix in ("", "-journal", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)


def encoder_of_file(path: Path) -> EncoderIdentity | None:
    """Return the encoder that made the vectors of a file; None where it is no such file."""
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            found = connection.execute("SELECT name, dimension, revision FROM encoder").fetchone()
    except sqlite3.Error:
        return None
    return None if found is None else EncoderIdentity(*found)
