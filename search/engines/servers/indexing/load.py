"""One change to an index on a server: staged here, built beside the current state, published."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from search.engines.protocol import IndexDescription, Progress
from search.engines.schema import check_current
from search.engines.servers.coordination.writer import Writer
from search.engines.servers.generations import generations
from search.engines.servers.generations.alias_repair import remains
from search.engines.servers.generations.manifest import Generation
from search.engines.servers.indexing.build import Material, Target, build_generation
from search.engines.servers.indexing.changeset import Change, check_unique
from search.engines.servers.indexing.current import Current, DocumentEntry
from search.engines.servers.indexing.pending import LoadVectors, scratch_errors
from search.engines.servers.mapping import replica_settings
from search.engines.servers.site import Site
from search.engines.staging import Staging
from search.errors import IndexLostError, IndexUnavailableError, RiragError
from search.messages.refusals import another_encoder, unknown_document
from search.records import EncoderIdentity


class ServerLoad:
    """Implements `search.engines.protocol.Load` for an index on a server."""

    def __init__(self, site: Site, encoder: EncoderIdentity, *, rebuild: bool = False) -> None:
        """Become the one process that loads into the index.

        Raises:
            IndexBusyError: another one is.
            EncoderMismatchError: the index was made with another encoder, and is not rebuilt.
        """
        self._site = site
        self._encoder = encoder
        Replaced.find(site, encoder, rebuild)  # refuses before anything is written
        self._writer = Writer(site)
        try:
            self._replaced = Replaced.find(site, encoder, rebuild)
            generations.remove_leftovers(site.client, site.address)
            if site.options.replicas is not None:
                copies = replica_settings(site.options)
                generations.set_copies(site.client, site.address, copies)
            self._documents = self._replaced.documents()
            self._hashes = {one.document_id: one.content_hash for one in self._documents}
            with scratch_errors():
                self._scratch = tempfile.TemporaryDirectory(prefix="rirag-")
                folder = Path(self._scratch.name)
                self._vectors = LoadVectors(
                    self._writer.notes, folder / "vectors.sqlite", encoder, self._replaced.vectors
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
        self._site.client.close()

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
            raise unknown_document(document_id, self._site.address.url)
        self._deleted.add(document_id)

    def commit(self, staging: Staging, progress: Progress | None = None) -> IndexDescription:
        """Build the next generation and let the aliases name it."""
        change = Change.of(self._documents, staging.hashes(), staging.counts(), self._deleted)
        check_unique(change, staging, self._replaced.kept)
        target = Target(self._site, self._encoder, self._replaced.stamp, self._replaced.indices)
        material = Material(change, staging, self._replaced.kept, self._vectors.get)
        new = build_generation(target, material, progress or _silent)
        self._publish(new)
        self._committed = True
        self._retire(new)
        return self._site.describe(new)

    def _publish(self, new: Generation) -> None:
        client, address = self._site.client, self._site.address
        try:
            self._writer.check()
            generations.publish(client, address, new, self._replaced.indices)
        except BaseException:
            with suppress(RiragError):
                generations.delete_unused(client, new)
            raise

    def _retire(self, new: Generation) -> None:
        """Clean up; the load is complete already, so a refusal is left to the next one."""
        client, address = self._site.client, self._site.address
        with suppress(RiragError):
            generations.retire(client, address, new, self._site.options.keep_minutes)


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """What the aliases name when a load begins."""

    indices: tuple[str | None, str | None]
    """The indices of passages and documents; None where there is none yet, or an alias is lost."""
    kept: Current | None
    """What the new state begins with; None for a first load and a rebuild."""
    vectors: Current | None
    """What has vectors of the load's encoder."""
    stamp: str
    """Time stamp of the generation that users go back to from the load's; "" where there is none.

    One whose aliases somebody removed is such a generation, so that no load deletes it at once."""

    @classmethod
    def find(cls, site: Site, encoder: EncoderIdentity, rebuild: bool) -> Replaced:
        """Look at what is there.

        Raises:
            EncoderMismatchError: it has vectors of another encoder, and is not rebuilt.
            IndexUnavailableError: it cannot be used, or is not an index of rirag.
            IndexLostError: it lost an alias, and is not rebuilt.
        """
        if not generations.exists(site.client, site.address):
            return cls((None, None), None, None, "")
        try:
            indices = generations.replaceable(site.client, site.address)
        except IndexLostError:
            found = remains(site.client, site.address)
            if found is None or not rebuild:
                raise
            kept = found.kept.manifest.generation if found.kept else ""
            return cls(found.indices, None, None, kept)
        stamp = indices[0].rpartition("-")[2]
        try:
            generation = generations.resolve(site.client, site.address)
        except IndexUnavailableError:
            if not rebuild:
                raise
            return cls(indices, None, None, stamp)
        if not rebuild:
            check_current(site.address.url, generation.manifest.schema_version)
        current = Current(site.client, generation)
        if generation.manifest.encoder == encoder:
            return cls(indices, None if rebuild else current, current, stamp)
        if not rebuild:
            raise another_encoder(site.address.url, generation.manifest.encoder, encoder)
        return cls(indices, None, None, stamp)

    def documents(self) -> list[DocumentEntry]:
        """Return the documents that the new state begins with."""
        return [] if self.kept is None else self.kept.documents()
