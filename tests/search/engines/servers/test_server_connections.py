"""What a connection needs before anything is sent: versions, certificates, the client library."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from extras import require
from fault_support import unconnected

from search.engines.servers.connection import client_of
from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.faults import causes, plain, product_of_refusal
from search.engines.servers.connection.options import ServerOptions, tls_context
from search.errors import IndexUnavailableError, InputError, MissingDependencyError


@pytest.mark.parametrize("number", ["8.18.0", "9.5.3", "9.6.0-SNAPSHOT"])
def test_supported_versions_are_taken(number: str) -> None:
    version = unconnected("elasticsearch")._supported({"version": {"number": number}})
    told = str(unconnected("elasticsearch", *version))
    assert told == f"Elasticsearch {number.partition('-')[0]}"


@pytest.mark.parametrize("number", ["7.17.0", "8.17.9", "10.0.0"])
def test_other_versions_are_told(number: str) -> None:
    told = f"is Elasticsearch {number}, but rirag needs 8.18 or newer, below 10"
    with pytest.raises(IndexUnavailableError, match=told):
        unconnected("elasticsearch")._supported({"version": {"number": number}})


def test_servers_of_version_8_are_spoken_to_in_their_language() -> None:
    require("elasticsearch")
    from search.engines.servers.connection.elasticsearch import compatible

    assert compatible({"accept": "application/json", "content-type": "application/x-ndjson"}) == {
        "accept": "application/vnd.elasticsearch+json; compatible-with=8",
        "content-type": "application/vnd.elasticsearch+x-ndjson; compatible-with=8",
    }
    assert compatible(None) == {}


@pytest.mark.parametrize("product", ["elasticsearch", "opensearch"])
def test_without_its_library_a_product_names_the_extra(
    product: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=rf"\[{product}\]'$"):
        client_of(ServerAddress.parse(f"{product}+http://h:9200/rules"), ServerOptions())


@pytest.mark.parametrize("option", ["ca_file", "client_certificate", "client_key"])
def test_a_certificate_that_cannot_be_used_is_told(option: str, tmp_path: Path) -> None:
    (tmp_path / "no.pem").write_text("no certificate")
    paths = {"client_certificate": str(tmp_path / "no.pem")} if option == "client_key" else {}
    for path in (tmp_path / "missing.pem", tmp_path, tmp_path / "no.pem"):
        with pytest.raises(InputError, match=r"RIRAG_SERVER_\w+=.* cannot be used \(.*PEM file"):
            tls_context(ServerOptions(**{**paths, option: str(path)}))


def test_certificates_are_verified_whatever_is_set() -> None:
    context = tls_context(ServerOptions())
    assert context.check_hostname
    assert context.verify_mode.name == "CERT_REQUIRED"


def wrapped() -> Exception:
    inner = OSError(111, "Connection refused")
    middle = ValueError("HTTPConnection(host='h', port=9): failed", inner)
    outer = RuntimeError("Connection error caused by: …")
    outer.errors = (middle,)  # type: ignore[attr-defined]
    return outer


def test_the_innermost_exception_is_what_happened() -> None:
    assert [type(one) for one in causes(wrapped())] == [
        RuntimeError, ValueError, ConnectionRefusedError,
    ]  # fmt: skip
    assert plain(wrapped()) == "Connection refused"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError("[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)"),
         "wrong version number"),
        (ValueError(), "ValueError"),
    ],
)  # fmt: skip
def test_what_happened_is_told_in_few_words(error: Exception, words: str) -> None:
    assert plain(error) == words


@pytest.mark.parametrize(
    ("reason", "product"),
    [
        ("action [cluster:monitor/main] is unauthorized for API key id [x] of user [me], this "
         "action is granted by the cluster privileges [monitor,manage,all]", "Elasticsearch"),
        ("no permissions for [cluster:monitor/main] and User [name=me, backend_roles=[]]",
         "OpenSearch"),
        ("Forbidden", None),
    ],
)  # fmt: skip
def test_a_refusal_tells_which_product_it_comes_from(reason: str, product: str | None) -> None:
    assert product_of_refusal(reason) == product
