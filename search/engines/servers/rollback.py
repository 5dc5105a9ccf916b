"""The way from what is searched now, whole or not, to a generation that was searched before."""

from __future__ import annotations

from dataclasses import dataclass

from search.engines.servers.generations import generations
from search.engines.servers.generations.alias_repair import remains
from search.engines.servers.generations.stored import Generation
from search.engines.servers.site import Site
from search.errors import IndexCorruptError, IndexLostError


@dataclass(frozen=True, slots=True)
class WayBack:
    """From the indices that the aliases name to an earlier generation."""

    indices: tuple[str | None, str | None]
    """What the aliases name now; None where one is missing."""
    left: Generation | None
    """The generation that is searched now; None where it is damaged or not whole."""
    target: Generation

    @classmethod
    def find(cls, site: Site) -> WayBack:
        """Look for it.

        Raises:
            InputError: there is no earlier generation.
            IndexUnavailableError: there is no index, or it is not an index of rirag.
        """
        client, address = site.client, site.address
        try:
            current = generations.resolve(client, address)
        except (IndexLostError, IndexCorruptError) as error:
            found = remains(client, address)
            if found is not None and found.kept is not None:
                return cls(found.indices, None, found.kept)
            if found is not None and isinstance(error, IndexCorruptError):
                raise generations.nothing_before(address) from error
            raise
        indices = (current.passages, current.documents)
        return cls(indices, current, generations.before(client, address, current))
