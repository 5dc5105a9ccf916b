"""Vectors that a load can use: of the current generation, and of loads that were not completed.

The server keeps new ones, so that a later load finds them after a `kill -9`, on whatever machine.
A file here has those that this process added, and is read faster.
"""

from __future__ import annotations

import base64
import hashlib
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search.engines.servers.indexing.current import Current
from search.engines.servers.notes import Note, Notes
from search.engines.vector_file import VectorFile
from search.errors import StorageError
from search.models.encoders.identity import check_vectors
from search.records import EncoderIdentity


@contextmanager
def scratch_errors() -> Iterator[None]:
    """Turn what the disk refuses into one sentence."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        raise StorageError(
            "a temporary file of the load cannot be written to "
            f"{tempfile.gettempdir()} ({error}); free some space there, or set TMPDIR "
            "to another folder, and load again"
        ) from error


_KIND = "vector"
_STORED = "<f4"
_NOTES_AT_ONCE = 1000
"""Vectors in one request: some 2 MB at 384 dimensions."""


class LoadVectors:
    """Vectors by hash, bound to one encoder: those of another are never found."""

    def __init__(
        self, notes: Notes, path: Path, encoder: EncoderIdentity, current: Current | None
    ) -> None:
        """Prepare; `current` is the generation that has vectors of this encoder already."""
        self._notes = notes
        self._encoder = encoder
        self._current = current
        identity = f"{encoder.name}\n{encoder.revision}\n{encoder.dimension}"
        self._prefix = hashlib.sha256(identity.encode()).hexdigest()[:16] + "-"
        self._local = VectorFile(path, encoder)

    def add(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep vectors, shape (hashes, dimension); the server has them when this returns.

        Raises:
            ModelError: they are not what an index can keep.
        """
        checked = check_vectors(vectors, len(hashes), self._encoder)
        data = [base64.b64encode(row.tobytes()).decode() for row in checked.astype(_STORED)]
        for start in range(0, len(data), _NOTES_AT_ONCE):
            part = slice(start, start + _NOTES_AT_ONCE)
            self._notes.write(
                {
                    self._prefix + name: {"kind": _KIND, "data": one}
                    for name, one in zip(hashes[part], data[part], strict=True)
                }
            )
        with scratch_errors():
            self._local.add_vectors(hashes, checked)

    def known(self, hashes: Iterable[str]) -> set[str]:
        """Return which of the hashes the index, this load or an unfinished one has."""
        wanted = set(hashes)
        known = self._local.known_vectors(wanted)
        known |= set(self._waiting(wanted - known, source=False))
        return known if self._current is None else known | self._current.known(wanted - known)

    def get(self, hashes: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return those of the vectors that are known."""
        wanted = set(hashes)
        found = self._local.vectors(wanted)
        found |= {name: _vector(one) for name, one in self._waiting(wanted - set(found)).items()}
        if self._current is not None and len(found) < len(wanted):
            found |= self._current.vectors(wanted - set(found))
        return found

    def close(self) -> None:
        """Close the file here; the server keeps what it has."""
        self._local.close()

    def _waiting(self, hashes: Iterable[str], *, source: bool = True) -> dict[str, Note]:
        """Return what the server keeps for the next load, by hash."""
        ids = [self._prefix + name for name in sorted(hashes)]
        notes = self._notes.read(ids, source=source)
        return {note_id.removeprefix(self._prefix): note for note_id, note in notes.items()}


def _vector(note: Note) -> NDArray[np.float32]:
    return np.frombuffer(base64.b64decode(note.source["data"]), _STORED)
