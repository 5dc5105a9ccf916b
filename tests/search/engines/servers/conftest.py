"""Fixtures with real servers, each started once a run, when a test first asks for it.

RIRAG_TEST_ELASTICSEARCH and RIRAG_TEST_OPENSEARCH name servers that run already, as
`http://127.0.0.1:9200`. Where no server can be started the tests are skipped, unless
RIRAG_REQUIRE_SERVERS=1 says that they must run.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from extras import require
from server_processes import TestServer

PRODUCTS = ("elasticsearch", "opensearch")
CLIENTS = {"elasticsearch": "elasticsearch", "opensearch": "opensearchpy"}
WITH_SERVER = {
    "elasticsearch_server", "opensearch_server", "secure_elasticsearch", "own_server", "server",
}  # fmt: skip
HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)  # before -m chooses by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        used = WITH_SERVER & set(getattr(item, "fixturenames", ()))
        if HERE in item.path.parents and used:
            item.add_marker(pytest.mark.servers)
            if "opensearch" in item.nodeid or used == {"opensearch_server"}:
                item.add_marker(pytest.mark.opensearch)


@contextmanager
def shared(product: str) -> Iterator[TestServer]:
    """The server that all tests of a run share."""
    require(CLIENTS[product])
    running = os.environ.get(f"RIRAG_TEST_{product.upper()}")
    if running:
        yield TestServer.running(product, running)
        return
    server = TestServer.started(product)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def elasticsearch_server() -> Iterator[TestServer]:
    with shared("elasticsearch") as server:
        yield server


@pytest.fixture(scope="session")
def opensearch_server() -> Iterator[TestServer]:
    with shared("opensearch") as server:
        yield server


@pytest.fixture(scope="session")
def elasticsearch_url(elasticsearch_server: TestServer) -> str:
    """`elasticsearch+http://127.0.0.1:PORT`; an index URL is this, a slash, and a name."""
    return elasticsearch_server.url


@pytest.fixture(scope="session")
def opensearch_url(opensearch_server: TestServer) -> str:
    """`opensearch+http://127.0.0.1:PORT`."""
    return opensearch_server.url


@pytest.fixture(scope="session", params=PRODUCTS)
def server(request: pytest.FixtureRequest) -> TestServer:
    """Each of the two shared servers."""
    found: TestServer = request.getfixturevalue(f"{request.param}_server")
    return found


@pytest.fixture(scope="session")
def server_url(server: TestServer) -> str:
    """The URL of each of the two shared servers."""
    return server.url


@pytest.fixture
def fresh_name(request: pytest.FixtureRequest) -> Iterator[str]:
    """An index name of this test's own; all that begins with it is deleted afterwards."""
    name = f"t-{uuid.uuid4().hex[:12]}"
    used = WITH_SERVER & set(request.fixturenames)
    servers = [request.getfixturevalue(fixture) for fixture in sorted(used)]
    yield name
    for server in servers:
        server.ensure_running()
        server.wipe(name)


@pytest.fixture
def index_url(server_url: str, fresh_name: str) -> str:
    """An index of this test's own on each of the two servers."""
    return f"{server_url}/{fresh_name}"


@pytest.fixture(scope="session")
def secure_elasticsearch() -> Iterator[TestServer]:
    """An Elasticsearch with TLS, a password and API keys."""
    require(CLIENTS["elasticsearch"])
    server = TestServer.started("elasticsearch", "--secure")
    yield server
    server.stop()


@pytest.fixture
def private_server(own_server: TestServer) -> Iterator[TestServer]:
    """A server of the module's own, whose settings may be changed and which may be killed."""
    yield own_server
    own_server.ensure_running()


@pytest.fixture(scope="module", params=PRODUCTS)
def own_server(request: pytest.FixtureRequest) -> Iterator[TestServer]:
    """What is behind `private_server`; started with the module's SERVER_OPTIONS."""
    require(CLIENTS[request.param])
    server = TestServer.started(request.param, *getattr(request.module, "SERVER_OPTIONS", ()))
    yield server
    server.stop()
