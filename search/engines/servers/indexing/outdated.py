"""The generation whose place a load will take, and what of it the load may use."""

from __future__ import annotations

from dataclasses import dataclass

from search.engines.schema import check_current
from search.engines.servers.generations import generations
from search.engines.servers.generations.alias_repair import remains
from search.engines.servers.indexing.current import Current, DocumentEntry
from search.engines.servers.site import Site
from search.errors import IndexLostError, IndexUnavailableError
from search.messages.refusals import another_encoder
from search.records import EncoderIdentity


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
