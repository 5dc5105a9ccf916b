"""The connection to OpenSearch, through `opensearch-py`; imported when one is wanted."""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import opensearchpy
from opensearchpy.helpers import streaming_bulk
from opensearchpy.serializer import JSONSerializer

from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import (
    CONNECTIONS,
    RETRIES,
    Body,
    Call,
    Client,
    Version,
    from_text,
    to_text,
)
from search.engines.servers.connection.faults import Fault, FaultError, causes, plain
from search.engines.servers.connection.one_write import write_at_once
from search.engines.servers.connection.options import ServerOptions, tls_context

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


class OpenSearchClient(Client):
    """OpenSearch, with vectors that a script compares one by one or Lucene's graph."""

    title = "OpenSearch"
    versions = (2, 4), (4,)  # filters within the search of Lucene's graph came with 2.4
    graph = "HNSW"
    compares_any = True

    def __init__(self, address: ServerAddress, options: ServerOptions) -> None:
        super().__init__(address, options)
        parts = urlsplit(address.node)
        settings: dict[str, Any] = {
            "hosts": [{"host": parts.hostname, "port": parts.port}],
            "pool_maxsize": CONNECTIONS,
            "timeout": options.timeout_s,
            "headers": options.authorization(),
            "serializer": _Json(),
            "connection_class": _Connection,
        }
        if address.is_secure:
            settings |= {"use_ssl": True, "ssl_context": tls_context(options)}
        # The library knows retries of a client, not of a request.
        self._repeating = opensearchpy.OpenSearch(**settings, max_retries=RETRIES)
        self._once = opensearchpy.OpenSearch(**settings, max_retries=0)

    def close(self) -> None:
        """Close all connections."""
        self._repeating.close()
        self._once.close()

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

    def vector_value(self, vector: NDArray[np.float32]) -> list[float]:
        """Return the vector as a list of numbers."""
        numbers: list[float] = vector.astype("f8").round(DECIMALS).tolist()
        return numbers

    def dense_query(
        self, vector: NDArray[np.float32], depth: int, filters: Sequence[Body], exact: bool
    ) -> Body:
        """Return a score of every vector that meets the filters, or a search of the graph."""
        numbers = self.vector_value(vector)
        if not exact:
            wanted = min(depth * CANDIDATES, MOST_CANDIDATES)
            knn: dict[str, Any] = {"vector": numbers, "k": wanted}
            if filters:
                knn["filter"] = {"bool": {"filter": list(filters)}}
            return {"query": {"knn": {"vector": knn}}}
        # The script's score for cosines is not the same in all versions; that for distances is.
        asked = {"field": "vector", "query_value": numbers, "space_type": "l2"}
        scored = {
            "query": {"bool": {"filter": [{"exists": {"field": "vector"}}, *filters]}},
            "script": {"lang": "knn", "source": "knn_score", "params": asked},
        }
        return {"query": {"script_score": scored}}

    def bm25_factor(self) -> float:
        """Return k1 + 1 for the versions that leave it out; one that is not told counts as new."""
        version = self.version()
        return K1_AND_1 if not version or version >= WITHOUT_K1_AND_1 else 1.0

    def cosines(self, scores: NDArray[np.float64], exact: bool) -> NDArray[np.float64]:
        """Turn the scores into cosines of unit vectors.

        With d, the square of their distance, the cosine is 1 - d / 2. The score is 1 / (1 + d)
        where vectors are compared one by one, and (1 + cosine) / 2 where a graph is searched.
        """
        return 1 - (1 / scores - 1) / 2 if exact else 2 * scores - 1

    def _identify(self) -> Version:
        try:
            answer = self._repeating.transport.perform_request("GET", "/")
        except opensearchpy.AuthorizationException as error:
            return self._unasked(error.info)
        version = answer.get("version") if isinstance(answer, dict) else None
        if not isinstance(version, dict) or version.get("distribution") != "opensearch":
            number = version.get("number") if isinstance(version, dict) else None
            raise FaultError(Fault("product", f"Elasticsearch {number}" if number else ""))
        return self._supported(answer)

    def _send(self, call: Call) -> Any:
        client = self._repeating if call.repeatable else self._once
        return client.transport.perform_request(
            call.method, call.target, headers=call.headers, body=call.body, timeout=call.timeout_s
        )

    def _stream(
        self, actions: Iterable[Body], timeout_s: float, settings: dict[str, Any]
    ) -> Iterable[tuple[bool, dict[str, Any]]]:
        stream: Iterable[tuple[bool, dict[str, Any]]] = streaming_bulk(
            self._repeating, actions, request_timeout=timeout_s, **settings
        )
        return stream

    def _fault(self, error: Exception) -> Fault | None:
        if isinstance(error, opensearchpy.ConnectionTimeout):
            return Fault("time-out", plain(error))
        if isinstance(error, opensearchpy.ConnectionError):
            tls = any(isinstance(one, ssl.SSLError) for one in causes(error))
            return Fault("tls" if tls else "connection", plain(error))
        if isinstance(error, opensearchpy.TransportError):
            return Fault("status", status=error.status_code, body=error.info or error.error)
        if isinstance(error, opensearchpy.SerializationError):
            return Fault("answer", plain(error))
        return None


class _Json(JSONSerializer):  # type: ignore[misc]
    """The library's JSON, faster; what is JSON already stays as it is."""

    def dumps(self, data: Any) -> str:
        return data if isinstance(data, str) else to_text(data)

    def loads(self, s: str) -> Any:
        try:
            return from_text(s)
        except ValueError as error:
            raise opensearchpy.SerializationError(s, error) from error


class _Connection(opensearchpy.Urllib3HttpConnection):  # type: ignore[misc]
    """The library's connections, with requests in one piece."""

    def _create_urllib3_pool(self) -> None:
        super()._create_urllib3_pool()
        write_at_once(self.pool)
