"""The connection to Elasticsearch, through `elasticsearch`; imported when one is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import elastic_transport
from elasticsearch import ApiError, Elasticsearch, UnsupportedProductError
from elasticsearch.helpers import streaming_bulk
from elasticsearch.serializer import JsonSerializer

from search.engines.servers.connection import library_client as limits
from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import Body, ServerInfo
from search.engines.servers.connection.faults import Fault, FaultError, Kind
from search.engines.servers.connection.library_client import (
    Call,
    checked_version,
    from_text,
    plain,
    to_text,
)
from search.engines.servers.connection.one_write import write_at_once
from search.engines.servers.connection.options import ServerOptions, authorization, tls_context

TITLE = "Elasticsearch"
OLDEST, BEFORE = (8, 18), (10,)
"""Versions that are supported: rescoring of quantised vectors came with 8.18."""
COMPATIBLE_WITH = 8
"""The version whose language is spoken; a server knows that of the version before its own too."""

_FAULTS: tuple[tuple[type[Exception], Kind], ...] = (
    (elastic_transport.ConnectionTimeout, "time-out"),
    (elastic_transport.TlsError, "tls"),
    (elastic_transport.ConnectionError, "connection"),
    (elastic_transport.TransportError, "answer"),
)


class ElasticsearchClient(limits.LibraryClient):
    """Implements `search.engines.servers.connection.client.Client`."""

    title = TITLE

    def __init__(self, address: ServerAddress, options: ServerOptions) -> None:
        super().__init__(address, options)
        settings = _settings(address, options)
        self._client = _Configured(CompatibleElasticsearch(**settings, node_class=_Node))

    def _identify(self) -> ServerInfo:
        headers = {"accept": "application/json"}
        try:
            answer = self._client.client.perform_request("GET", "/", headers=headers)
        except UnsupportedProductError:
            raise
        except ApiError as error:
            if error.status_code in (403, 405):
                return self._unasked(error.body)
            raise
        return ServerInfo(TITLE, checked_version(self.address, TITLE, answer, OLDEST, BEFORE))

    def _send(self, call: Call) -> Any:
        client = self._client.for_call(call)
        answer = client.perform_request(
            call.method, call.target, headers=call.headers, body=call.body
        )
        return _body(call, answer)

    def _stream(self, index: str, actions: Iterable[Body]) -> Iterable[tuple[bool, dict[str, Any]]]:
        patient = self._client.client.options(
            request_timeout=max(limits.BULK_TIMEOUT_S, self.options.timeout_s),
            max_retries=limits.RETRIES,
        )
        stream: Iterable[tuple[bool, dict[str, Any]]] = streaming_bulk(
            patient,
            actions,
            index=index,
            **limits.bulk_settings(),
        )
        return stream

    def _fault(self, error: Exception) -> Fault | None:
        if isinstance(error, UnsupportedProductError):
            return Fault("product")
        if isinstance(error, ApiError):
            return Fault("status", status=error.status_code, body=error.body)
        kind = next((kind for one, kind in _FAULTS if isinstance(error, one)), None)
        return Fault(kind, plain(error)) if kind else None

    def close(self) -> None:
        """Close all connections."""
        self._client.client.close()


class CompatibleElasticsearch(Elasticsearch):  # type: ignore[misc]
    """Speaks the language of version 8 where the library speaks its own."""

    def perform_request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> Any:
        """Send a request."""
        return super().perform_request(method, path, headers=compatible(headers), **more)


class _Json(JsonSerializer):  # type: ignore[misc]
    """The library's JSON, faster."""

    def json_dumps(self, data: Any) -> bytes:
        """Return JSON."""
        return to_text(data).encode()

    def json_loads(self, data: bytes) -> Any:
        """Read JSON."""
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


class _Configured:
    """Copies of a client by time-out and retries; making one takes longer than a small request."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._copies: dict[tuple[float, bool], Any] = {}

    def for_call(self, call: Call) -> Any:
        """Return a client that is as patient as the call wants."""
        wanted = (call.timeout_s, call.repeatable)
        if wanted not in self._copies:
            retries = limits.RETRIES if call.repeatable else 0
            self._copies[wanted] = self.client.options(
                request_timeout=call.timeout_s, max_retries=retries
            )
        return self._copies[wanted]


def _settings(address: ServerAddress, options: ServerOptions) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "hosts": [address.node],
        "connections_per_node": limits.CONNECTIONS,
        "request_timeout": options.timeout_s,
        "headers": authorization(options.api_key, options.user, options.password),
        "serializer": _Json(),
    }
    if address.node.startswith("https:"):
        settings["ssl_context"] = tls_context(options)
    return settings


def _body(call: Call, answer: Any) -> Any:
    if call.method == "HEAD" and answer.meta.status == 404:
        raise FaultError(Fault("status", status=404, body={"error": "there is none"}))
    return answer.body
