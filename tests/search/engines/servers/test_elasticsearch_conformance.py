"""Elasticsearch does what every engine must do."""

from __future__ import annotations

import pytest
from conformance import EngineConformance
from engine_samples import IndexUnderTest

from search.engines import locate


class TestElasticsearchEngine(EngineConformance):
    """All of the conformance suite, on a real server."""

    @pytest.fixture
    def index(
        self, elasticsearch_server: object, elasticsearch_url: str, fresh_name: str
    ) -> IndexUnderTest:
        url = f"{elasticsearch_url}/{fresh_name}"
        return IndexUnderTest(locate(url), url)
