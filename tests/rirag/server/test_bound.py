"""A key that is bound to a client sees nothing of another one, whatever it asks."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from rirag.server.access.keys import KeysFile
from tests.rirag.server.conftest import SECRET
from tests.rirag.server.running import Running, running

REQUESTS = int(os.environ.get("RIRAG_REQUESTS", "126"))
"""How many requests are made up; `RIRAG_REQUESTS=1000` tries harder."""

HIDDEN = (SECRET, "zebr")
"""In lower case: what no response may hold."""


class Bound:
    """A server over two clients, with keys for each and for all."""

    def __init__(self, server: Running, secrets: dict[str, str]) -> None:
        self.server = server
        self.headers = {name: {"Authorization": f"Bearer {one}"} for name, one in secrets.items()}

        self.of_b = self._left_by_b()

    def _left_by_b(self) -> tuple[str, ...]:
        """Have client b leave an answer, feedback and a job; return their addresses."""
        asked = {"question": f"What is a {SECRET}?"}
        made = self.send("b", "POST", "/v1/ask", json=asked).json()["answer_id"]
        said = {"answer_id": made, "verdict": "wrong", "comment": SECRET}
        assert self.send("b", "POST", "/v1/feedback", json=said).status_code == 204
        sent = self.send("b", "POST", "/v1/documents", files={"file": (f"{SECRET}.txt", b"x")})
        address = str(sent.json()["status_url"])
        self.server.ended(address, headers=self.headers["b"])
        return f"/v1/answers/{made}", f"/a/{made}", address, f"/jobs{address[8:]}"

    def send(self, who: str, method: str, path: str, **more: Any) -> Any:
        return self.server.client.request(method, path, headers=self.headers[who], **more)


@pytest.fixture(scope="module")
def bound(two_clients: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bound]:
    folder = tmp_path_factory.mktemp("bound")
    keys = KeysFile(folder / "keys.json")
    every = ["search", "ask", "ingest", "admin"]
    fast = {"requests_per_minute": 1_000_000}
    secrets = {
        "a": keys.add("a", every, {"client": ["a"]}, **fast),  # type: ignore[arg-type]
        "b": keys.add("b", every, {"client": ["b"]}, **fast),  # type: ignore[arg-type]
        "all": keys.add("all", every, **fast),  # type: ignore[arg-type]
    }
    with running(two_clients, folder, keys=keys.path, audit=folder / "audit.jsonl") as server:
        yield Bound(server, secrets)


def test_nothing_of_another_client_whatever_is_asked(bound: Bound) -> None:
    source = random.Random(34)
    leaks = []
    statuses: dict[int, int] = {}
    for number in range(REQUESTS):
        method, path, more = _request(source, number)
        response = bound.send("a", method, path, **more)
        statuses[response.status_code] = statuses.get(response.status_code, 0) + 1
        shown = f"{dict(response.headers)} {response.text}".lower()
        if any(word in shown for word in HIDDEN):
            leaks.append((number, method, path, more, shown[:500]))
        assert response.status_code != 500, (path, more, response.text)
    assert not leaks, leaks[:3]
    assert statuses[200] > REQUESTS / 3


def test_the_whole_index_has_what_the_key_must_not_see(bound: Bound) -> None:
    everything = bound.send("all", "POST", "/v1/search", json={"question": SECRET}).text
    assert SECRET in everything
    own = bound.send("b", "POST", "/v1/search", json={"question": SECRET}).text
    assert SECRET in own


def test_a_key_sees_its_own(bound: Bound) -> None:
    body = bound.send("a", "POST", "/v1/search", json={"question": "ledger"}).json()
    assert {hit["id"] for hit in body["hits"]} == {"a-1", "a-2", "a-3"}
    (document,) = bound.send("a", "GET", "/v1/documents").json()["documents"]
    assert (document["document_id"], document["passages"]) == ("LEDG", 3)
    asked = {"question": "How long must a ledger be kept?"}
    answer = bound.send("a", "POST", "/v1/ask", json=asked).json()
    assert "six years" in answer["Answer"]


def test_what_cites_a_passage_from_elsewhere_is_not_told(bound: Bound) -> None:
    seen = bound.send("all", "GET", "/v1/passages/a-3?links=true").json()["links"]["cited_by"]
    assert [one["id"] for one in seen] == [f"{SECRET}-2"]
    own = bound.send("a", "GET", "/v1/passages/a-3?links=true").json()["links"]
    assert own["cited_by"] == []
    assert [one["target"]["id"] for one in own["cites"]] == ["a-2"]


def test_answers_jobs_and_feedback_of_another_are_unknown(bound: Bound) -> None:
    for path in bound.of_b:
        assert bound.send("a", "GET", path).status_code == 404, path
        assert bound.send("all", "GET", path).status_code == 200, path
    assert SECRET in bound.send("b", "GET", "/v1/feedback").text
    for path in ("/v1/feedback", "/v1/feedback?format=csv", "/v1/jobs", "/admin"):
        assert SECRET not in bound.send("a", "GET", path).text.lower()


def test_metrics_count_everybody_and_are_for_keys_without_filters(bound: Bound) -> None:
    bound.server.refused(bound.send("a", "GET", "/metrics"), 403, "key.scope")
    assert "rirag_requests_total" in bound.send("all", "GET", "/metrics").text


def test_an_upload_cannot_take_the_place_of_another_clients_document(bound: Bound) -> None:
    for line in (
        {"ID": "mine", "DocumentID": "ZEBR", "PassageID": "9", "Passage": "Taken."},
        {"ID": f"{SECRET}-2", "DocumentID": "OWN", "PassageID": "9", "Passage": "Taken."},
    ):
        files = {"file": ("x.jsonl", json.dumps(line).encode())}
        sent = bound.send("a", "POST", "/v1/documents", files=files)
        job = bound.server.ended(sent.json()["status_url"], headers=bound.headers["a"])
        assert (job["state"], job["problem"]["code"]) == ("failed", "document.taken")
    assert SECRET in bound.send("b", "GET", "/v1/documents/ZEBR").text
    gone = bound.send("a", "DELETE", "/v1/documents/ZEBR")
    assert gone.status_code == 404


def test_a_name_chosen_for_an_upload_tells_nothing_of_another_client(bound: Bound) -> None:
    files = {"file": ("own.txt", b"Own policy\n1.1\tKeep a ledger.\n")}
    chosen = {"document_id": "ZEBR"}
    sent = bound.send("a", "POST", "/v1/documents", files=files, data=chosen)
    job = bound.server.ended(sent.json()["status_url"], headers=bound.headers["a"])
    assert (job["state"], job["problem"]["code"]) == ("failed", "document.taken")
    seen = bound.send("a", "POST", "/upload", files=files, data=chosen).text
    assert SECRET not in f"{job} {seen}".lower()


def test_an_upload_belongs_to_the_client_of_its_key(bound: Bound) -> None:
    line = {"ID": "new", "DocumentID": "NEWA", "PassageID": "1", "Passage": "A quokka must swim."}
    files = {"file": ("new.jsonl", json.dumps(line).encode())}
    sent = bound.send("a", "POST", "/v1/documents", files=files)
    job = bound.server.ended(sent.json()["status_url"], headers=bound.headers["a"])
    assert job["state"] == "done", job
    assert "index" not in job["ingest"] and "reused" not in job["ingest"]
    assert "quokka" in bound.send("a", "POST", "/v1/search", json={"question": "quokka"}).text
    hits = bound.send("b", "POST", "/v1/search", json={"question": "quokka"}).json()["hits"]
    assert all("quokka" not in hit["passage"] for hit in hits)
    other = bound.send("a", "POST", "/v1/documents", files=files, data={"client": "b"})
    assert other.status_code == 422
    assert bound.send("a", "DELETE", "/v1/documents/NEWA").status_code == 204


_WORDS = (
    "ledger", "payment", "kept", "six years", "Rule 1.1", "Rule 1.2 of LEDG", "LEDG 1.2", "7.7",
    "what does ledger mean", "rules", "1", "book", "section 7.7", "swim",
)  # fmt: skip
_FIELDS = ("client", "document", "document_id", "kind", "id", "parent", "number", "part", "shoe")
_VALUES = ("a", "b", "LEDG", "rule", "definition", "1", "", "*")


def _request(source: random.Random, number: int) -> tuple[str, str, dict[str, Any]]:
    """Return a request that does not name what it must not see; its number chooses where to."""
    question = " ".join(source.choices(_WORDS, k=source.randint(1, 4)))
    filters = {
        source.choice(_FIELDS): [source.choice(_VALUES)] for _ in range(source.randint(0, 2))
    }
    asked = {"question": question, "filters": filters}
    part = quote(source.choice(("LEDG", "b", "1", "1.1", "a-2", "7.7", "x")))
    query = "&".join(
        [f"q={quote(question)}", *(f"f.{n}={quote(v[0])}" for n, v in filters.items())]
    )
    tool = source.choice((
        ("search", {"question": question, "filters": filters or None}),
        ("get_rule", {"document": part, "number": source.choice(("1.1", "7.7", "1"))}),
        ("list_documents", {}),
        ("references", {"passage_id": "a-3"}),
        ("definitions", {"passage_id": "a-2"}),
        ("ask", {"question": question}),
    ))  # fmt: skip
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool[0], "arguments": tool[1]}}  # fmt: skip
    choices: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/v1/search", {"json": {**asked, "k": source.randint(1, 100),
                                         "explain": source.random() < 0.5,
                                         "neighbours": source.randint(0, 3)}}),
        ("POST", "/v1/ask", {"json": {**asked, "stream": source.random() < 0.5}}),
        ("POST", "/v1/chat/completions",
         {"json": {"model": "rirag", "messages": [{"role": "user", "content": question}]}}),
        ("GET", f"/v1/documents?limit={source.randint(1, 100)}", {}),
        ("GET", f"/v1/documents/{part}", {}),
        ("GET", f"/v1/passages/{part}?neighbours=3&links=true", {}),
        ("GET", "/v1/jobs", {}),
        ("GET", "/v1/feedback", {}),
        ("GET", "/", {}),
        ("GET", f"/search?{query}", {}),
        ("GET", f"/ask?{query}", {}),
        ("GET", f"/d/{part}", {}),
        ("GET", f"/d/LEDG/{part}", {}),
        ("GET", f"/parts/passage?id={part}", {}),
        ("GET", f"/parts/links?id={part}", {}),
        ("GET", "/documents", {}),
        ("GET", "/admin", {}),
        ("POST", "/mcp", {"json": call}),
    ]  # fmt: skip
    return choices[number % len(choices)]
