"""Every fault of a server becomes one sentence that says what, where, and what to do."""

from __future__ import annotations

from typing import Any

import pytest

from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.faults import (
    MAX_REASON,
    Fault,
    NotFoundError,
    error_of,
    reason_of,
)
from search.engines.servers.connection.options import ServerOptions
from search.errors import IndexUnavailableError, InputError, RiragError, StorageError

PLAIN = ServerAddress.parse("elasticsearch+http://h:9200/rules")
SECURE = ServerAddress.parse("opensearch+https://h:9200/rules")
KEY = ServerOptions(api_key="s3cret")
USER = ServerOptions(user="me", password="s3cret")


def failed(type_: str, reason: str) -> dict[str, Any]:
    """A server's answer to a request that it refuses."""
    cause = {"type": type_, "reason": reason}
    return {"error": {"root_cause": [cause], **cause}}


@pytest.mark.parametrize(
    ("fault", "address", "told"),
    [
        (Fault("connection", "Connection refused"), PLAIN,
         "no server answers at http://h:9200 (Connection refused); start it"),
        (Fault("connection", "Connection reset by peer"), PLAIN, "write elasticsearch+https://"),
        (Fault("connection", "Server disconnected"), SECURE, "cut the connection"),
        (Fault("tls", "certificate verify failed: self-signed certificate"), SECURE,
         "set RIRAG_SERVER_CA_FILE to the PEM file"),
        (Fault("tls", "tlsv13 alert certificate required"), SECURE,
         "set RIRAG_SERVER_CLIENT_CERTIFICATE and RIRAG_SERVER_CLIENT_KEY"),
        (Fault("tls", "wrong version number"), SECURE,
         "does not speak HTTPS (wrong version number); write opensearch+http://"),
        (Fault("time-out"), PLAIN, "raise RIRAG_SERVER_TIMEOUT_S"),
        (Fault("product"), PLAIN, "is not Elasticsearch; if it is the other product, write "
         "opensearch+http://"),
        (Fault("product", "Elasticsearch 9.5.3"), SECURE, "is not OpenSearch but Elasticsearch"),
        (Fault("answer", "Unknown mimetype"), PLAIN, "does not speak the protocol of a"),
        (Fault("partial", "disk broke"), PLAIN, "could not search all of the index 'rules' (disk"),
    ],
)  # fmt: skip
def test_faults_of_the_connection(fault: Fault, address: ServerAddress, told: str) -> None:
    error = error_of(fault, address, ServerOptions())
    assert isinstance(error, IndexUnavailableError)
    assert told in str(error)
    assert address.node in str(error)


@pytest.mark.parametrize(
    ("status", "body", "kind", "told"),
    [
        (404, failed("index_not_found_exception", "no such index [rules]"), NotFoundError,
         "no such index [rules]"),
        (409, failed("version_conflict_engine_exception", "conflict"), IndexUnavailableError,
         "another process changed the index 'rules' at http://h:9200 in the meantime (conflict)"),
        (400, failed("invalid_index_name_exception", "Invalid index name [Rules]"), InputError,
         "the server rejects the index name 'rules': Invalid index name"),
        (403, failed("cluster_block_exception", "index [r] blocked by: [FORBIDDEN/8/index write]"),
         StorageError, "keeps the index read-only"),
        (403, failed("cluster_block_exception", "blocked by: [FORBIDDEN/7/index read (api)];"),
         IndexUnavailableError, "forbids reading the index 'rules' (blocked by: [FORBIDDEN/7"),
        (403, failed("cluster_block_exception", "blocked by: [FORBIDDEN/9/index metadata (api)];"),
         IndexUnavailableError, "remove the setting index.blocks.metadata there"),
        (429, failed("cluster_block_exception", "disk usage exceeded flood-stage watermark"),
         StorageError, "free some space there"),
        (413, None, StorageError, "raise its setting http.max_content_length"),
        (429, failed("circuit_breaking_exception", "Data too large"), IndexUnavailableError,
         "cannot take the request now (Data too large); try again later"),
        (503, failed("x", "no shard"), IndexUnavailableError, "try again later"),
        (406, failed("media_type_header_exception", "Accept version"), IndexUnavailableError,
         "is not Elasticsearch"),
        (400, failed("index_closed_exception", "closed"), IndexUnavailableError,
         "rules, which elasticsearch+http://h:9200/rules needs, is closed on the server"),
        (400, failed("x_content_parse_exception", "[1:2] unknown field"), IndexUnavailableError,
         "rejected a request for the index 'rules' (status 400: [1:2] unknown field)"),
    ],
)  # fmt: skip
def test_what_a_server_refuses(status: int, body: Any, kind: type[RiragError], told: str) -> None:
    error = error_of(Fault("status", status=status, body=body), PLAIN, ServerOptions())
    assert isinstance(error, kind)
    assert told in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (ServerOptions(), "asks for credentials; set RIRAG_SERVER_API_KEY"),
        (KEY, "rejects the API key (unable to authenticate)"),
        (USER, "rejects the user 'me' or its password (unable to authenticate)"),
    ],
)
def test_wrong_credentials_are_told_and_not_shown(options: ServerOptions, told: str) -> None:
    body = failed("security_exception", "unable to authenticate")
    said = str(error_of(Fault("status", status=401, body=body), PLAIN, options))
    assert told in said
    assert "s3cret" not in said


@pytest.mark.parametrize(
    ("options", "who"), [(KEY, "API key"), (USER, "user 'me'"), (ServerOptions(), "caller")]
)
def test_a_missing_right_is_named(options: ServerOptions, who: str) -> None:
    words = "action [indices:data/write/index] is unauthorized, granted by [write]"
    fault = Fault("status", status=403, body=failed("security_exception", words))
    said = str(error_of(fault, PLAIN, options))
    assert said.startswith(f"the {who} lacks a permission on the index 'rules'")
    assert words in said


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (failed("x", "all shards failed"), "all shards failed"),
        ({"error": "no handler found"}, "no handler found"),
        ({"error": {"type": "x", "reason": "r", "caused_by": {"reason": "a",
          "caused_by": {"reason": "b"}}}}, "r: b"),
        ({"error": {"root_cause": [], "type": "x", "reason": "outer"}}, "outer"),
        ({"error": {"type": "only_a_type"}}, "only_a_type"),
        ({"error": {"root_cause": [{"type": "t"}], "failed_shards": []}}, "no reason given"),
        (None, "no reason given"),
        ("a page\nof HTML", "a page of HTML"),
        ({"error": "x" * 9999}, "x" * (MAX_REASON - 1) + "…"),
    ],
)  # fmt: skip
def test_the_servers_words_are_the_innermost_ones_on_one_line(body: Any, words: str) -> None:
    assert reason_of(body) == words
