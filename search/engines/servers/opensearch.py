"""OpenSearch: how it keeps vectors and finds them."""

from __future__ import annotations

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

CANDIDATES = 4
"""How many times the wanted depth the graph is searched for: recall@100 .999 with 4, .996 with 2
and .981 with 1 (100 questions, 13,732 passages)."""
MOST_CANDIDATES = 10_000
"""The server's limit."""
K1_AND_1 = 2.2
"""With the constant k1 = 1.2 of both servers and of the embedded engine."""
WITHOUT_K1_AND_1 = (3,)
"""First version whose BM25 leaves this factor out, as Lucene's does; also for older indices."""
DECIMALS = 8
"""Of the numbers of a vector: a float32 below 1 has few more, and the text is half as long."""


class OpenSearchProduct:
    """Implements `search.engines.servers.product.Product`."""

    title = "OpenSearch"
    graph = "HNSW"
    compares_any = True

    def connect(self, address: ServerAddress, options: ServerOptions) -> Client:
        """Return a connection; nothing is sent yet."""
        if importlib.util.find_spec("opensearchpy") is None:
            raise MissingDependencyError("an index on OpenSearch", "opensearch")
        from search.engines.servers.connection.opensearch_client import OpenSearchClient

        return OpenSearchClient(address, options)

    def vector_settings(self, exact: bool) -> Body:
        """Return whether the index keeps a graph."""
        return {} if exact else {"knn": True}

    def vector_field(self, dimension: int, exact: bool) -> Body:
        """Return a `knn_vector`: plain values, or Lucene's graph.

        Lucene's is named because it alone needs no native library; the default, faiss, ends the
        whole server where its library is missing.
        """
        field: dict[str, Any] = {"type": "knn_vector", "dimension": dimension}
        if not exact:
            field["method"] = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
        return field

    def vector_value(self, vector: NDArray[np.float32], server: ServerInfo) -> Any:  # noqa: ARG002
        """Return the vector as a list of numbers."""
        return _numbers(vector)

    def dense_query(
        self, vector: NDArray[np.float32], depth: int, filters: Sequence[Body], exact: bool
    ) -> Body:
        """Return a score of every vector that meets the filters, or a search of the graph."""
        if not exact:
            wanted = min(depth * CANDIDATES, MOST_CANDIDATES)
            knn: dict[str, Any] = {"vector": _numbers(vector), "k": wanted}
            if filters:
                knn["filter"] = {"bool": {"filter": list(filters)}}
            return {"query": {"knn": {"vector": knn}}}
        # The script's score for cosines is not the same in all versions; that for distances is.
        asked = {"field": "vector", "query_value": _numbers(vector), "space_type": "l2"}
        scored = {
            "query": {"bool": {"filter": [{"exists": {"field": "vector"}}, *filters]}},
            "script": {"lang": "knn", "source": "knn_score", "params": asked},
        }
        return {"query": {"script_score": scored}}

    def bm25_factor(self, server: ServerInfo) -> float:
        """Return k1 + 1 for the versions that leave it out; one that is not told counts as new."""
        return K1_AND_1 if not server.version or server.version >= WITHOUT_K1_AND_1 else 1.0

    def cosines(self, scores: NDArray[np.float64], exact: bool) -> NDArray[np.float64]:
        """Turn the scores into cosines of unit vectors.

        With d, the square of their distance, the cosine is 1 - d / 2. The score is 1 / (1 + d)
        where vectors are compared one by one, and (1 + cosine) / 2 where a graph is searched.
        """
        return 1 - (1 / scores - 1) / 2 if exact else 2 * scores - 1


def _numbers(vector: NDArray[np.float32]) -> list[float]:
    numbers: list[float] = vector.astype("f8").round(DECIMALS).tolist()
    return numbers
