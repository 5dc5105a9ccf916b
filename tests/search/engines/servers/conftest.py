"""Fixtures with real servers, each started once a run, when a test first asks for it.

RIRAG_TEST_ELASTICSEARCH and RIRAG_TEST_OPENSEARCH name servers that run already, as
`http://127.0.0.1:9200`. Where no server can be started the tests are skipped, unless
RIRAG_REQUIRE_SERVERS=1 says that they must run.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from extras import require
from numpy.typing import NDArray
from sample import RULEBOOK
from server_processes import TestServer

import indexer
from search.models.encoders import DEFAULT_ENCODER, load_encoder
from search.models.encoders.protocol import EncodedPassages, Encoder

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


class Remembering:
    """The encoder that ships; what it has encoded once it does not encode again."""

    def __init__(self) -> None:
        self._encoder = load_encoder(DEFAULT_ENCODER)
        self._known: dict[tuple[str, ...], EncodedPassages] = {}
        self.name, self.dimension = self._encoder.name, self._encoder.dimension
        self.revision = self._encoder.revision

    def encode_questions(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encoder.encode_questions(texts)

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        batch = tuple(texts)
        if batch not in self._known:
            self._known[batch] = self._encoder.encode_passages(texts)
        return self._known[batch]


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


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The encoder that ships; what it has encoded once it does not encode again."""
    return Remembering()


@pytest.fixture(scope="session")
def server_rulebook(server: TestServer, encoder: Encoder) -> Iterator[str]:
    """An index of the sample rulebook on each server, not to be changed."""
    name = f"t-{uuid.uuid4().hex[:12]}"
    indexer.ingest([RULEBOOK], f"{server.url}/{name}", encoder=encoder)
    yield f"{server.url}/{name}"
    server.wipe(name)


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
