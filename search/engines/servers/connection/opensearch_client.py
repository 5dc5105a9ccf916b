"""The connection to OpenSearch, through `opensearch-py`; imported when one is wanted."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import opensearchpy
from opensearchpy.helpers import streaming_bulk
from opensearchpy.serializer import JSONSerializer

from search.engines.servers.connection import library_client as limits
from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import Body, ServerInfo
from search.engines.servers.connection.faults import Fault, FaultError
from search.engines.servers.connection.library_client import (
    Call,
    causes,
    checked_version,
    from_text,
    plain,
    to_text,
)
from search.engines.servers.connection.one_write import write_at_once
from search.engines.servers.connection.options import ServerOptions, authorization, tls_context

TITLE = "OpenSearch"
OLDEST, BEFORE = (2, 4), (4,)
"""Versions that are supported: filters within the search of Lucene's graph came with 2.4."""


class OpenSearchClient(limits.LibraryClient):
    """Implements `search.engines.servers.connection.client.Client`."""

    title = TITLE

    def __init__(self, address: ServerAddress, options: ServerOptions) -> None:
        super().__init__(address, options)
        self._settings = _settings(address, options)
        # The library knows retries of a client, not of a request.
        self._repeating = self._connected(limits.RETRIES)
        self._once = self._connected(0)

    def _connected(self, retries: int) -> Any:
        return opensearchpy.OpenSearch(
            **self._settings, max_retries=retries, connection_class=_Connection
        )

    def _identify(self) -> ServerInfo:
        try:
            answer = self._repeating.transport.perform_request("GET", "/")
        except opensearchpy.AuthorizationException as error:
            return self._unasked(error.info)
        version = answer.get("version") if isinstance(answer, dict) else None
        if not isinstance(version, dict) or version.get("distribution") != "opensearch":
            number = version.get("number") if isinstance(version, dict) else None
            raise FaultError(Fault("product", f"Elasticsearch {number}" if number else ""))
        return ServerInfo(TITLE, checked_version(self.address, TITLE, answer, OLDEST, BEFORE))

    def _send(self, call: Call) -> Any:
        client = self._repeating if call.repeatable else self._once
        answer = client.transport.perform_request(
            call.method, call.target, headers=call.headers, body=call.body, timeout=call.timeout_s
        )
        return _body(call, answer)

    def _stream(self, index: str, actions: Iterable[Body]) -> Iterable[tuple[bool, dict[str, Any]]]:
        stream: Iterable[tuple[bool, dict[str, Any]]] = streaming_bulk(
            self._repeating,
            actions,
            index=index,
            **limits.bulk_settings(),
            request_timeout=max(limits.BULK_TIMEOUT_S, self.options.timeout_s),
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

    def close(self) -> None:
        """Close all connections."""
        self._repeating.close()
        self._once.close()


class _Json(JSONSerializer):  # type: ignore[misc]
    """The library's JSON, faster."""

    def dumps(self, data: Any) -> str:
        """Return JSON; what is JSON already stays as it is."""
        return data if isinstance(data, str) else to_text(data)

    def loads(self, s: str) -> Any:
        """Read JSON."""
        try:
            return from_text(s)
        except ValueError as error:
            raise opensearchpy.SerializationError(s, error) from error


class _Connection(opensearchpy.Urllib3HttpConnection):  # type: ignore[misc]
    """The library's connections, with requests in one piece."""

    def _create_urllib3_pool(self) -> None:
        super()._create_urllib3_pool()
        write_at_once(self.pool)


def _settings(address: ServerAddress, options: ServerOptions) -> dict[str, Any]:
    parts = urlsplit(address.node)
    settings: dict[str, Any] = {
        "hosts": [{"host": parts.hostname, "port": parts.port}],
        "pool_maxsize": limits.CONNECTIONS,
        "timeout": options.timeout_s,
        "headers": authorization(options.api_key, options.user, options.password),
        "serializer": _Json(),
    }
    if parts.scheme == "https":
        settings["use_ssl"] = True
        settings["ssl_context"] = tls_context(options)
    return settings


def _body(call: Call, answer: Any) -> Any:
    if call.method == "HEAD" and answer is False:
        raise FaultError(Fault("status", status=404, body={"error": "there is none"}))
    return answer
