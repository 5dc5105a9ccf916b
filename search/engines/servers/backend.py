"""Index URLs that name a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, TypeVar

from search.engines.protocol import Health, IndexDescription
from search.engines.servers import generations
from search.engines.servers.connection import connect
from search.engines.servers.connection.client import Client
from search.engines.servers.connection.options import ServerOptions
from search.engines.servers.indexing.load import ServerLoad
from search.engines.servers.searching.engine import ServerEngine
from search.records import EncoderIdentity

Opened = TypeVar("Opened")


class ServerBackend:
    """Implements `search.engines.protocol.Backend` for Elasticsearch and OpenSearch."""

    def __init__(self, options: ServerOptions) -> None:
        """Prepare with credentials and limits; nothing is sent yet."""
        self._options = options

    def open(self, url: str) -> ServerEngine:
        """Open the generation that the aliases name now, and stay with it."""
        return self._kept(url, lambda client: ServerEngine(client, generations.resolve(client)))

    def load(self, url: str, encoder: EncoderIdentity, *, rebuild: bool = False) -> ServerLoad:
        """Begin a change; the index is created when it does not exist."""
        return self._kept(url, lambda client: ServerLoad(client, encoder, rebuild=rebuild))

    def _kept(self, url: str, make: Callable[[Client], Opened]) -> Opened:
        """Return what is made with a connection, and closes it."""
        client = connect(url, self._options)
        try:
            return make(client)
        except BaseException:
            client.close()
            raise

    def state(self, url: str) -> str:
        """Return the name of the generation that the aliases name now."""
        with closing(connect(url, self._options)) as client:
            return generations.resolve(client).manifest.generation

    def rollback(self, url: str) -> IndexDescription:
        """Go back to the generation before the current one, which is kept for some time."""
        with closing(connect(url, self._options)) as client:
            return generations.roll_back(client)

    def exists(self, url: str) -> bool:
        """Return whether anything is on the server of the index, whole or not."""
        with closing(connect(url, self._options)) as client:
            return generations.exists(client)

    def health(self, url: str) -> Health | None:
        """Return how well the shards of the index are; None: it is not there."""
        with closing(connect(url, self._options)) as client:
            path = f"/_cluster/health/{client.address.name}-*"
            return health_of(client.request("GET", path, level="indices"))


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
