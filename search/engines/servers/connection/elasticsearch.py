"""The connection to Elasticsearch, through `elasticsearch`; imported when one is wanted."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import elastic_transport
from elasticsearch import ApiError, Elasticsearch, UnsupportedProductError
from elasticsearch.helpers import streaming_bulk
from elasticsearch.serializer import JsonSerializer

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
from search.engines.servers.connection.faults import Fault, Kind, plain
from search.engines.servers.connection.one_write import write_at_once
from search.engines.servers.connection.options import ServerOptions, tls_context

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMPATIBLE_WITH = 8
"""The version whose language is spoken; a server knows that of the version before its own too."""
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

_FAULTS: tuple[tuple[type[Exception], Kind], ...] = (
    (elastic_transport.ConnectionTimeout, "time-out"),
    (elastic_transport.TlsError, "tls"),
    (elastic_transport.ConnectionError, "connection"),
    (elastic_transport.TransportError, "answer"),
)


class ElasticsearchClient(Client):
    """Elasticsearch, with dense vectors that are flat or in a graph over quantised ones."""

    title = "Elasticsearch"
    versions = (8, 18), (10,)  # rescoring of quantised vectors came with 8.18
    graph = "HNSW over quantised vectors; the best candidates are rescored with full vectors"
    compares_any = False

    def __init__(self, address: ServerAddress, options: ServerOptions) -> None:
        super().__init__(address, options)
        secure = {"ssl_context": tls_context(options)} if address.is_secure else {}
        self._client = _Compatible(
            hosts=[address.node],
            connections_per_node=CONNECTIONS,
            request_timeout=options.timeout_s,
            headers=options.authorization(),
            serializer=_Json(),
            node_class=_Node,
            **secure,
        )
        self._copies: dict[tuple[float, bool], Any] = {}

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def vector_field(self, dimension: int, exact: bool) -> Body:
        """Return a `dense_vector`: flat, or a graph over quantised vectors."""
        graph = "bbq_hnsw" if dimension >= ONE_BIT_FROM else "int8_hnsw"
        return {
            "type": "dense_vector",
            "dims": dimension,
            "index": True,
            "similarity": "cosine",
            "index_options": {"type": "flat" if exact else graph},
        }

    def vector_value(self, vector: NDArray[np.float32]) -> Any:
        """Return the vector as base64 of big-endian floats, or as a list for older servers."""
        if self.version() < PACKED_SINCE:
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

    def cosines(self, scores: NDArray[np.float64], exact: bool) -> NDArray[np.float64]:  # noqa: ARG002
        """Turn (1 + cosine) / 2 into the cosine."""
        return 2 * scores - 1

    def _identify(self) -> Version:
        headers = {"accept": "application/json"}
        try:
            return self._supported(self._client.perform_request("GET", "/", headers=headers))
        except UnsupportedProductError:
            raise
        except ApiError as error:
            if error.status_code in (403, 405):
                return self._unasked(error.body)
            raise

    def _send(self, call: Call) -> Any:
        patience = (call.timeout_s, call.repeatable)
        if patience not in self._copies:  # making one takes longer than a small request
            self._copies[patience] = self._client.options(
                request_timeout=call.timeout_s, max_retries=RETRIES if call.repeatable else 0
            )
        answer = self._copies[patience].perform_request(
            call.method, call.target, headers=call.headers, body=call.body
        )
        return answer.body

    def _stream(
        self, actions: Iterable[Body], timeout_s: float, settings: dict[str, Any]
    ) -> Iterable[tuple[bool, dict[str, Any]]]:
        patient = self._client.options(request_timeout=timeout_s, max_retries=RETRIES)
        stream: Iterable[tuple[bool, dict[str, Any]]] = streaming_bulk(patient, actions, **settings)
        return stream

    def _fault(self, error: Exception) -> Fault | None:
        if isinstance(error, UnsupportedProductError):
            return Fault("product")
        if isinstance(error, ApiError):
            return Fault("status", status=error.status_code, body=error.body)
        kind = next((kind for one, kind in _FAULTS if isinstance(error, one)), None)
        return Fault(kind, plain(error)) if kind else None


class _Compatible(Elasticsearch):  # type: ignore[misc]
    """Speaks the language of version 8 where the library speaks its own."""

    def perform_request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> Any:
        return super().perform_request(method, path, headers=compatible(headers), **more)


class _Json(JsonSerializer):  # type: ignore[misc]
    """The library's JSON, faster."""

    def json_dumps(self, data: Any) -> bytes:
        return to_text(data).encode()

    def json_loads(self, data: bytes) -> Any:
        return from_text(data)


class _Node(elastic_transport.Urllib3HttpNode):  # type: ignore[misc]
    """The library's connections, with requests in one piece."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        write_at_once(self.pool)


def compatible(headers: Mapping[str, str] | None) -> dict[str, str]:
    """Return headers whose media types name the version to speak."""
    version = f"; compatible-with={COMPATIBLE_WITH}"
    return {
        name: value.replace("application/", "application/vnd.elasticsearch+") + version
        if value in ("application/json", "application/x-ndjson")
        else value
        for name, value in (headers or {}).items()
    }
