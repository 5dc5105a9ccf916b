"""Elasticsearch does what every engine must do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conformance import EngineConformance
from engine_samples import IndexUnderTest
from remembered_index import RememberedIndex, memory, of_test
from server_processes import TestServer

from search.engines import locate


@pytest.fixture(scope="module")
def shared(elasticsearch_server: TestServer) -> Iterator[RememberedIndex]:
    with memory(elasticsearch_server) as remembered:
        yield remembered


class TestElasticsearchEngine(EngineConformance):
    """All of the conformance suite, on a real server."""

    @pytest.fixture
    def index(
        self, request: pytest.FixtureRequest, shared: RememberedIndex,
        elasticsearch_server: TestServer, fresh_name: str,
    ) -> IndexUnderTest:  # fmt: skip
        url = f"{elasticsearch_server.url}/{fresh_name}"
        owner = request.function.__qualname__.partition(".")[0]
        return of_test(owner, shared, IndexUnderTest(locate(url), url))
