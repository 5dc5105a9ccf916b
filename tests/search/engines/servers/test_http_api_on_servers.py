"""The HTTP API over an index in a real Elasticsearch or OpenSearch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from extras import require
from sample import RULEBOOK
from server_processes import on

from rirag.service import Query, Service
from rirag.settings import Settings

for name in ("fastapi", "uvicorn", "jinja2", "mcp"):
    require(name)

from tests.rirag.server.running import ASKED, Running, running  # noqa: E402


@pytest.fixture
def over_engine(index_url: str, tmp_path: Path) -> Iterator[tuple[Running, str]]:
    """A server whose index will be in the engine, and the URL of the index."""
    with running(index_url, tmp_path) as found:
        yield found, index_url


@on("elasticsearch")
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
