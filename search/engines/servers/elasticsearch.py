"""Elasticsearch: how it keeps vectors and finds them."""

from __future__ import annotations

import base64
import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import Body, Client, ServerInfo
from search.engines.servers.connection.options import ServerOptions
from search.errors import MissingDependencyError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKED_SINCE = (9, 5)
"""First version that was seen to take vectors as base64, which halves the time of a load."""
ONE_BIT_FROM = 384
"""Dimensions from which one bit of each is enough to find one's way; fewer keep a byte of each. The
server's own default has the same border."""
OVERSAMPLE = 8
"""How many times the wanted depth is found by the graph and scored again with whole vectors:
recall@100 .998 with 8, .994 with 5 and .988 with 3 (100 questions, 13,732 passages)."""
MOST_CANDIDATES = 10_000
"""The server's limit."""


class ElasticsearchProduct:
    """Implements `search.engines.servers.product.Product`."""

    title = "Elasticsearch"
    graph = "HNSW over quantised vectors; the best candidates are rescored with full vectors"
    compares_any = False

    def connect(self, address: ServerAddress, options: ServerOptions) -> Client:
        """Return a connection; nothing is sent yet."""
        if importlib.util.find_spec("elasticsearch") is None:
            raise MissingDependencyError("an index on Elasticsearch", "elasticsearch")
        from search.engines.servers.connection.elasticsearch_client import ElasticsearchClient

        return ElasticsearchClient(address, options)

    def vector_settings(self, exact: bool) -> Body:  # noqa: ARG002
        """Return no settings: the field says it all."""
        return {}

    def vector_field(self, dimension: int, exact: bool) -> Body:
        """Return a `dense_vector`: flat, or a graph over quantised vectors."""
        return {
            "type": "dense_vector",
            "dims": dimension,
            "index": True,
            "similarity": "cosine",
            "index_options": {"type": "flat" if exact else _graph(dimension)},
        }

    def vector_value(self, vector: NDArray[np.float32], server: ServerInfo) -> Any:
        """Return the vector as base64 of big-endian floats, or as a list for older servers."""
        if server.version < PACKED_SINCE:
            return vector.tolist()
        return base64.b64encode(vector.astype(">f4").tobytes()).decode()

    def dense_query(
        self, vector: NDArray[np.float32], depth: int, filters: Sequence[Body], exact: bool
    ) -> Body:
        """Return a `knn` search; filters act while it runs, not afterwards."""
        knn: dict[str, Any] = {
            "field": "vector",
            "query_vector": vector.tolist(),
            "k": depth,
            "num_candidates": depth if exact else min(depth * OVERSAMPLE, MOST_CANDIDATES),
        }
        if filters:
            knn["filter"] = list(filters)
        if not exact:
            knn["rescore_vector"] = {"oversample": float(OVERSAMPLE)}
        return {"knn": knn}

    def bm25_factor(self, server: ServerInfo) -> float:  # noqa: ARG002
        """Return 1: the scores have k1 + 1 in them."""
        return 1.0

    def cosines(self, scores: NDArray[np.float64], exact: bool) -> NDArray[np.float64]:  # noqa: ARG002
        """Turn (1 + cosine) / 2 into the cosine."""
        return 2 * scores - 1


def _graph(dimension: int) -> str:
    return "bbq_hnsw" if dimension >= ONE_BIT_FROM else "int8_hnsw"
