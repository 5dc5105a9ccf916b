"""One change to an embedded index: staged, built beside the current state, published at once."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import IO, Self

import numpy as np
from numpy.typing import NDArray

from search.engines.embedded import layout
from search.engines.embedded.build import GivenDocument, build_generation
from search.engines.embedded.engine import EmbeddedEngine
from search.engines.embedded.store import StoredDocument
from search.engines.protocol import IndexDescription, Progress
from search.engines.schema import check_current
from search.engines.staging import Staging
from search.engines.vector_file import VectorFile
from search.errors import IndexBusyError, StorageError
from search.messages.refusals import another_encoder, missing_vector, unknown_document
from search.records import EncoderIdentity


class EmbeddedLoad:
    """Implements `search.engines.protocol.Load` for a folder."""

    def __init__(self, root: Path, encoder: EncoderIdentity, *, rebuild: bool = False) -> None:
        self._root = root
        self._encoder = encoder
        self._rebuild = rebuild
        with ExitStack() as opened:
            layout.refuse_foreign(root)
            with _storage_errors(root):
                root.mkdir(parents=True, exist_ok=True)
                opened.enter_context(_lock(root))
            self._current = _open_current(root, encoder, rebuild)
            if self._current is not None:
                opened.callback(self._current.close)
            with _storage_errors(root):
                self._partial = layout.next_partial(root)
                opened.callback(shutil.rmtree, self._partial, ignore_errors=True)
                self._pending = VectorFile(root / layout.PENDING, encoder, np.float16)
                opened.callback(self._pending.close)
            self._opened = opened.pop_all()
        self._deleted: set[str] = set()
        self._committed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        waiting = len(self._pending)
        self._pending.close()
        if self._committed or not waiting:
            self._pending.discard()
        self._opened.close()

    def document_hashes(self) -> Mapping[str, str]:
        """Return document_id → content hash of the current state."""
        return {document.document_id: document.content_hash for document in self._documents()}

    def known_vectors(self, hashes: Iterable[str]) -> set[str]:
        """Return which hashes the index or an unfinished load already holds."""
        asked = set(hashes)
        known = self._pending.known_vectors(asked)
        if self._current is not None:
            store = self._current.store
            known |= {name for name in asked - known if store.row_of_vector(name) is not None}
        return known

    def add_vectors(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep new vectors, shape (hashes, dimension)."""
        with _storage_errors(self._root):
            self._pending.add_vectors(hashes, vectors)

    def delete_document(self, document_id: str) -> None:
        """Remove a document of the current state."""
        if document_id not in self.document_hashes():
            raise unknown_document(document_id, self._root)
        self._deleted.add(document_id)

    def commit(self, staging: Staging, progress: Progress | None = None) -> IndexDescription:
        """Build the next generation and make it the current one."""
        documents = self._final_documents(staging)
        with _storage_errors(self._root):
            build_generation(self._partial, documents, self._encoder, self._vector_of, progress)
            layout.publish(self._root, self._partial)
        self._committed = True
        with closing(EmbeddedEngine(self._root)) as engine:
            return engine.describe()

    def _documents(self) -> list[StoredDocument]:
        """Return the documents to begin with; a rebuild takes the vectors at most."""
        if self._current is None or self._rebuild:
            return []
        return list(self._current.store.documents())

    def _final_documents(self, staging: Staging) -> Iterator[GivenDocument]:
        """Yield every document of the next state: old ones in their place, new ones after."""
        staged = staging.hashes()
        for document in self._documents():
            name = document.document_id
            if name in staged:
                yield name, staged.pop(name), staging.rows(name), staging.history(name)
            elif name not in self._deleted and self._current is not None:
                store = self._current.store
                yield name, document.content_hash, store.rows_of(document), store.history(name)
        for name, content_hash in staged.items():
            yield name, content_hash, staging.rows(name), staging.history(name)

    def _vector_of(self, vector_hash: str) -> NDArray[np.float16]:
        vector = self._pending.vectors([vector_hash]).get(vector_hash)
        if vector is None and self._current is not None:
            vector = self._current.stored_vector(vector_hash)
        if vector is None:
            raise missing_vector(vector_hash)
        return vector


def _open_current(root: Path, encoder: EncoderIdentity, rebuild: bool) -> EmbeddedEngine | None:
    """Open the state whose vectors can be used again; None where there is none."""
    if layout.current_name(root) is None:
        return None
    engine = EmbeddedEngine(root)
    stored = engine.describe()
    try:
        if not rebuild:
            check_current(str(root), stored.schema_version)
            if stored.encoder != encoder:
                raise another_encoder(root, stored.encoder, encoder)
    except BaseException:
        engine.close()
        raise
    if stored.encoder == encoder:
        return engine
    engine.close()
    return None


def _lock(root: Path) -> IO[str]:
    file = (root / layout.LOCK).open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        owner = file.read().strip() or "unknown"
        file.close()
        raise IndexBusyError(
            f"process {owner} is loading into {root}; wait until it is done, then try again"
        ) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


@contextmanager
def _storage_errors(root: Path) -> Iterator[None]:
    """Turn what the disk refuses into one sentence; the current state is untouched."""
    kept = (
        "the index is unchanged and can still be searched; the same command completes "
        "the load later"
        if (root / layout.CURRENT).is_file()
        else "nothing was loaded"
    )
    try:
        yield
    except (OSError, ValueError, sqlite3.OperationalError) as error:
        reason = _reason(error)
        if reason is None:
            raise
        raise StorageError(f"cannot write the index {root}: {reason} ({kept})") from error


_FULL = "the disk is full: free some space"
_REASONS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: "the disk quota is used up: free some space",
    errno.EFBIG: "a file would exceed the size limit: raise it",
    errno.EROFS: "the folder is read-only: choose another with --index",
    errno.EACCES: (
        "the folder is not writable: change its permissions, or choose another with --index"
    ),
    errno.ENOTDIR: "a part of its path is a file: choose another with --index",
    errno.EEXIST: "a file has that name: choose another with --index",
}


def _reason(error: Exception) -> str | None:
    """Return what the disk refuses; None for a fault that is not the disk's."""
    if isinstance(error, OSError):
        return _REASONS.get(error.errno or 0, error.strerror or str(error))
    if isinstance(error, sqlite3.OperationalError):
        return _FULL if "full" in str(error) else str(error)
    of_tantivy = any(word in str(error).lower() for word in ("os error", "io error"))
    return str(error) if of_tantivy else None
