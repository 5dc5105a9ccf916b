"""Index URLs that name a server."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from search.engines.protocol import Health, IndexDescription
from search.engines.servers.connection.options import ServerOptions
from search.engines.servers.coordination.writer import Writer
from search.engines.servers.generations import generations
from search.engines.servers.generations.alias_repair import remains
from search.engines.servers.generations.manifest import Generation
from search.engines.servers.indexing.load import ServerLoad
from search.engines.servers.searching.engine import ServerEngine
from search.engines.servers.site import Site, product_of
from search.errors import IndexCorruptError, IndexLostError, RiragError
from search.records import EncoderIdentity


class ServerBackend:
    """Implements `search.engines.protocol.Backend` for Elasticsearch and OpenSearch."""

    def __init__(self, product: str, options: ServerOptions) -> None:
        """Prepare for one product; nothing is sent yet.

        Args:
            product: `elasticsearch` or `opensearch`.
            options: credentials and limits.
        """
        self._product = product_of(product)
        self._options = options

    def open(self, url: str) -> ServerEngine:
        """Open the generation that the aliases name now, and stay with it."""
        site = Site.connect(url, self._product, self._options)
        try:
            return site.engine(generations.resolve(site.client, site.address))
        except BaseException:
            site.client.close()
            raise

    def state(self, url: str) -> str:
        """Return the name of the generation that the aliases name now."""
        site = Site.connect(url, self._product, self._options)
        try:
            return generations.resolve(site.client, site.address).manifest.generation
        finally:
            site.client.close()

    def load(self, url: str, encoder: EncoderIdentity, *, rebuild: bool = False) -> ServerLoad:
        """Begin a change; the index is created when it does not exist."""
        site = Site.connect(url, self._product, self._options)
        try:
            return ServerLoad(site, encoder, rebuild=rebuild)
        except BaseException:
            site.client.close()
            raise

    def rollback(self, url: str) -> IndexDescription:
        """Go back to the generation before the current one, which is kept for some time."""
        site = Site.connect(url, self._product, self._options)
        try:
            return _rolled_back(site)
        finally:
            site.client.close()

    def exists(self, url: str) -> bool:
        """Return whether anything is on the server of the index, whole or not."""
        site = Site.connect(url, self._product, self._options)
        try:
            return generations.exists(site.client, site.address)
        finally:
            site.client.close()

    def health(self, url: str) -> Health | None:
        """Return how well the shards of the index are; None: it is not there."""
        site = Site.connect(url, self._product, self._options)
        try:
            path = f"/_cluster/health/{site.address.name}-*"
            return health_of(site.client.request("GET", path, level="indices"))
        finally:
            site.client.close()


def _rolled_back(site: Site) -> IndexDescription:
    WayBack.find(site)  # refuses before anything is written
    writer = Writer(site)
    try:
        way = WayBack.find(site)
        writer.check()
        generations.publish(site.client, site.address, way.target, way.indices)
        if way.left is not None:
            left = way.left.manifest.model_copy(update={"rolled_back": time.time()})
            with suppress(RiragError):  # the aliases have moved: this is a note for later loads
                generations.set_manifest(site.client, way.left.passages, left)
    finally:
        writer.leave(keep_vectors=True)
    return site.describe(way.target)


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


_WHY = "GET /_cluster/allocation/explain on the server gives the reason, such as a full disk."


def health_of(answer: Mapping[str, Any]) -> Health | None:
    """Return what the answer to `GET /_cluster/health/…?level=indices` says; None: no index."""
    if not answer["indices"]:
        return None
    status, nodes = answer["status"], answer["number_of_data_nodes"]
    active = answer["active_shards"]
    missing = answer["unassigned_shards"] + answer["initializing_shards"]
    on = f"{nodes} data node{'' if nodes == 1 else 's'}"
    if status == "green":
        return Health(status, f"all {active} shards are on {on}")
    detail = f"{missing} of {active + missing} shards are unassigned on {on}"
    if status == "red":
        detail += "; some passages cannot be searched"
        return Health(status, detail, f"Start the nodes that left, or restore a snapshot. {_WHY}")
    detail += "; these are copies, and searches are complete"
    copies = max(one["number_of_replicas"] for one in answer["indices"].values())
    if copies < nodes:
        return Health(status, detail, f"Wait until the copies are made. {_WHY}")
    mend = (
        f"Each shard has {copies} cop{'y' if copies == 1 else 'ies'}, which needs {copies + 1} "
        f"nodes: set RIRAG_SERVER_REPLICAS={max(nodes - 1, 0)} and load again, or add nodes."
    )
    return Health(status, detail, mend)
