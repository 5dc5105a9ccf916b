"""Vectors that were computed for a load and are not published yet; they survive `kill -9`.

The server keeps them, so that other machines can add to them and a later load finds them. What this
process added itself also stands in a file here, which is read faster.
"""

from __future__ import annotations

import base64
import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search.engines.servers.coordination.documents import Note, Notes
from search.engines.servers.indexing.scratch import scratch_errors
from search.models.unit_vectors import check_vectors
from search.records import EncoderIdentity

_KIND = "vector"
_STORED = "<f4"
_NOTES_AT_ONCE = 1000
"""Vectors in one request: some 2 MB at 384 dimensions."""


class PendingVectors:
    """Vectors by hash, bound to one encoder: those of another are never found."""

    def __init__(self, notes: Notes, folder: Path, encoder: EncoderIdentity) -> None:
        self._notes = notes
        self._made_by = encoder
        identity = f"{encoder.name}\n{encoder.revision}\n{encoder.dimension}"
        self._prefix = hashlib.sha256(identity.encode()).hexdigest()[:16] + "-"
        self._local = sqlite3.connect(folder / "vectors.sqlite", check_same_thread=False)
        self._local.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
            "CREATE TABLE vector (hash TEXT PRIMARY KEY, data BLOB);"
        )

    def add(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep vectors, shape (hashes, dimension); the server has them when this returns.

        Raises:
            ModelError: they are not what an index can keep.
        """
        checked = check_vectors(vectors, len(hashes), self._made_by)
        data = [row.tobytes() for row in checked.astype(_STORED)]
        for start in range(0, len(data), _NOTES_AT_ONCE):
            part = slice(start, start + _NOTES_AT_ONCE)
            self._notes.write(
                {
                    self._prefix + name: {"kind": _KIND, "data": base64.b64encode(one).decode()}
                    for name, one in zip(hashes[part], data[part], strict=True)
                }
            )
        with scratch_errors(), self._local:
            self._local.executemany(
                "INSERT OR REPLACE INTO vector VALUES (?, ?)", zip(hashes, data, strict=True)
            )

    def known(self, hashes: Iterable[str]) -> set[str]:
        """Return which of the hashes are here."""
        wanted = set(hashes)
        sql = "SELECT 1 FROM vector WHERE hash = ?"
        here = {name for name in wanted if self._local.execute(sql, (name,)).fetchone()}
        there = self._notes.read(self._ids(wanted - here), source=False)
        return here | {note_id.removeprefix(self._prefix) for note_id in there}

    def get(self, hashes: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return those of the vectors that are here."""
        wanted = sorted(set(hashes))
        found: dict[str, NDArray[np.float32]] = {}
        for start in range(0, len(wanted), _NOTES_AT_ONCE):
            part = wanted[start : start + _NOTES_AT_ONCE]
            marks = ",".join("?" * len(part))
            sql = f"SELECT hash, data FROM vector WHERE hash IN ({marks})"  # noqa: S608
            for name, data in self._local.execute(sql, part):
                found[name] = np.frombuffer(data, _STORED)
        missing = [name for name in wanted if name not in found]
        for note_id, note in self._notes.read(self._ids(missing)).items():
            found[note_id.removeprefix(self._prefix)] = _vector(note)
        return found

    def waiting(self) -> int:
        """Return how many vectors the server keeps for the next load, of whatever encoder."""
        return self._notes.count(_KIND)

    def close(self) -> None:
        """Close the file here; the server keeps what it has."""
        self._local.close()

    def _ids(self, hashes: Iterable[str]) -> list[str]:
        return [self._prefix + name for name in sorted(hashes)]


def _vector(note: Note) -> NDArray[np.float32]:
    return np.frombuffer(base64.b64decode(note.source["data"]), _STORED)
