"""One change to an index on a server: staged here, built beside the current state, published."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from search.engines.protocol import IndexDescription, Progress
from search.engines.servers import generations
from search.engines.servers.connection.client import Client
from search.engines.servers.indexing.build import Build
from search.engines.servers.indexing.current import Change, Replaced
from search.engines.servers.indexing.pending import LoadVectors, scratch_errors
from search.engines.servers.manifest import Generation, leftovers
from search.engines.servers.mapping import replica_settings
from search.engines.servers.writer import Writer
from search.engines.staging import Staging
from search.errors import RiragError
from search.messages.refusals import unknown_document
from search.records import EncoderIdentity


class ServerLoad:
    """Implements `search.engines.protocol.Load` for an index on a server."""

    def __init__(self, client: Client, encoder: EncoderIdentity, *, rebuild: bool = False) -> None:
        """Become the one process that loads into the index.

        Raises:
            IndexBusyError: another one is.
            EncoderMismatchError: the index was made with another encoder, and is not rebuilt.
        """
        self._client = client
        self._encoder = encoder
        Replaced.find(client, encoder, rebuild)  # refuses before anything is written
        self._writer = Writer(client)
        try:
            self._replaced = Replaced.find(client, encoder, rebuild)
            generations.delete(client, *leftovers(client))
            if client.options.replicas is not None:
                generations.set_copies(client, replica_settings(client.options))
            kept = self._replaced.kept
            self._documents = [] if kept is None else kept.documents()
            self._hashes = {one.document_id: one.content_hash for one in self._documents}
            with scratch_errors():
                self._scratch = tempfile.TemporaryDirectory(prefix="rirag-")
                path = Path(self._scratch.name) / "vectors.sqlite"
                self._vectors = LoadVectors(
                    self._writer.notes, path, encoder, self._replaced.vectors
                )
        except BaseException:
            self._writer.leave(keep_vectors=True)
            raise
        self._deleted: set[str] = set()
        self._committed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._vectors.close()
        self._scratch.cleanup()
        self._writer.leave(keep_vectors=not self._committed)
        self._client.close()

    def document_hashes(self) -> Mapping[str, str]:
        """Return document_id → content hash of what the index holds now."""
        return self._hashes

    def known_vectors(self, hashes: Iterable[str]) -> set[str]:
        """Return which vector hashes need not be encoded again."""
        return self._vectors.known(hashes)

    def add_vectors(self, hashes: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep new vectors, shape (hashes, dimension)."""
        self._vectors.add(hashes, vectors)

    def delete_document(self, document_id: str) -> None:
        """Remove a document of the current state."""
        if document_id not in self._hashes:
            raise unknown_document(document_id, self._client.address.url)
        self._deleted.add(document_id)

    def commit(self, staging: Staging, progress: Progress | None = None) -> IndexDescription:
        """Build the next generation and let the aliases name it."""
        change = Change.of(self._documents, staging.hashes(), staging.counts(), self._deleted)
        change.check_unique(staging, self._replaced.kept)
        build = Build(self._client, self._encoder, self._replaced, change, staging)
        new = build.run(self._vectors.get, progress)
        self._publish(new)
        self._committed = True
        with suppress(RiragError):  # the load is complete: a refusal is left to the next one
            generations.retire(self._client, new)
        return new.manifest.describe(self._client)

    def _publish(self, new: Generation) -> None:
        try:
            self._writer.check()
            generations.publish(self._client, new, self._replaced.indices)
        except BaseException:
            with suppress(RiragError):
                generations.delete_unused(self._client, new)
            raise
