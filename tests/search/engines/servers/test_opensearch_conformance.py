"""OpenSearch does what every engine must do."""

from __future__ import annotations

import pytest
from conformance import EngineConformance
from engine_samples import IndexUnderTest

from search.engines import locate


class TestOpenSearchEngine(EngineConformance):
    """All of the conformance suite, on a real server."""

    @pytest.fixture
    def index(
        self, opensearch_server: object, opensearch_url: str, fresh_name: str
    ) -> IndexUnderTest:
        url = f"{opensearch_url}/{fresh_name}"
        return IndexUnderTest(locate(url), url)
