"""The server over an index in a real Elasticsearch or OpenSearch."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from rirag.service import Query, Service
from rirag.settings import Settings
from tests.extras import require
from tests.rirag.server.running import ASKED, Running, running
from tests.sample import RULEBOOK
from tests.search.engines.servers.server_processes import TestServer

pytestmark = pytest.mark.servers


CLIENTS = {"elasticsearch": "elasticsearch", "opensearch": "opensearchpy"}


@pytest.fixture(params=CLIENTS)
def engine(request: pytest.FixtureRequest) -> Iterator[TestServer]:
    """A real server: the one that `RIRAG_TEST_ELASTICSEARCH` (…) names, or a new one."""
    require(CLIENTS[request.param])
    known = os.environ.get(f"RIRAG_TEST_{request.param.upper()}")
    if known:
        yield TestServer.running(request.param, known)
        return
    started = TestServer.started(request.param)
    yield started
    started.stop()


@pytest.fixture
def over_engine(engine: TestServer, tmp_path: Path) -> Iterator[tuple[Running, str]]:
    """A server whose index will be in the engine, and the URL of the index."""
    name = f"t-{uuid.uuid4().hex[:12]}"
    url = f"{engine.url}/{name}"
    with running(url, tmp_path) as server:
        yield server, url
    engine.wipe(name)


def test_documents_are_uploaded_found_read_and_deleted(over_engine: tuple[Running, str]) -> None:
    server, url = over_engine
    server.refused(server.post("/v1/search", {"question": ASKED}), 503, "index.missing")
    files = [("file", (one.name, one.read_bytes())) for one in sorted(RULEBOOK.glob("*.txt"))]
    job = server.loaded(server.client.post("/v1/documents", files=files))
    assert sorted(job["documents"]["added"]) == ["AMLR", "COND", "GLOS", "GOVN"]
    assert server.get("/readyz").json()["ready"] is True
    found = server.post("/v1/search", {"question": ASKED, "k": 5}).json()["hits"]
    with Service.open(Settings(index=url)) as service:
        ours = service.search(Query(ASKED, k=5)).hits
    assert [one["id"] for one in found] == [hit.id for hit in ours]
    answer = server.post("/v1/ask", {"question": ASKED}).json()
    assert "within 24 hours" in answer["Answer"] and answer["citations"]
    assert "within 24 hours" in server.get("/d/GOVN/4.2.1").text
    assert server.client.delete("/v1/documents/GOVN").status_code == 204
    left = server.get("/v1/documents").json()["documents"]
    assert [one["document_id"] for one in left] == ["AMLR", "COND", "GLOS"]
    changed = server.get(f"/v1/answers/{answer['answer_id']}").json()["changed"]
    assert {one["change"] for one in changed} == {"removed"}
