"""A reranker behind `/rerank`: the model that ships, served as the common servers serve it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from search.errors import InputError, ModelError
from search.models import server
from search.models.rerankers import load_reranker

NAME = "endpoint:a-model"
QUESTION = "Who must keep records?"
PASSAGES = ["A fee is due in May.", "A firm must keep records.", "", "Records are kept by firms."]

Body = Mapping[str, Any]
Serve = Callable[[Body], tuple[int, Any]]


def rows(texts: list[str], query: str, score: str) -> list[dict[str, Any]]:
    """The scores of the model that ships, best first."""
    found = load_reranker("regulation-minilm-l3-reranker-int8").score(query, texts)
    return [
        {"index": int(place), score: float(found[place])} for place in np.argsort(-found)
    ]  # fmt: skip


def cohere(body: Body) -> tuple[int, Any]:
    return 200, {"results": rows(body["documents"], body["query"], "relevance_score")}


def voyage(body: Body) -> tuple[int, Any]:
    return 200, {"object": "list", "data": rows(body["documents"], body["query"], "score")}


def inference(body: Body) -> tuple[int, Any]:
    """Text Embeddings Inference, with its largest batch."""
    if "texts" not in body:
        return 422, "Failed to deserialize the JSON body: missing field `texts` at line 1"
    if len(body["texts"]) > 32:
        return 413, {"error": "batch size 33 > maximum allowed batch size 32"}
    return 200, rows(body["texts"], body["query"], "score")


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Serve], list[Any]]]:
    """Start a server and name it to rirag; returns the requests that it gets."""
    running = []

    def start(by: Serve) -> list[Any]:
        asked: list[Any] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked.append((self.path, self.headers["Authorization"], body))
                status, reply = by(body)
                sent = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_: object) -> None:
                pass

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=http.serve_forever, daemon=True).start()
        running.append(http)
        monkeypatch.setenv("RIRAG_RERANK_URL", f"http://127.0.0.1:{http.server_port}/v1")
        monkeypatch.setenv("RIRAG_RERANK_API_KEY", "a-secret-key")
        monkeypatch.setattr(server, "RETRIES", 0)
        return asked

    yield start
    for http in running:
        http.shutdown()
        http.server_close()


@pytest.mark.parametrize("by", [cohere, voyage, inference])
def test_each_kind_of_server_gives_the_scores_of_its_model(
    serve: Callable[[Serve], list[Any]], by: Serve
) -> None:
    asked = serve(by)
    many = PASSAGES * 9
    scores = load_reranker(NAME).score(QUESTION, many)
    wanted = load_reranker("regulation-minilm-l3-reranker-int8").score(
        QUESTION, [text or " " for text in many]
    )
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, wanted, rtol=1e-5)
    assert {(path, key) for path, key, _ in asked} == {("/v1/rerank", "Bearer a-secret-key")}
    assert len(load_reranker(NAME).score(QUESTION, [])) == 0


@pytest.mark.parametrize(
    ("status", "reply", "told"),
    [
        (200, {"results": []}, "did not return one score for each of 4 passages"),
        (200, {"results": [{"index": 0, "relevance_score": 1}] * 4}, "did not return one score"),
        (200, {"results": [{"index": n, "relevance_score": None} for n in range(4)]}, "one score"),
        (200, [{"index": n, "score": float("nan")} for n in range(4)], "did not return one score"),
        (200, b"<html>", "did not return one score"),
        (200, "a text", "did not return one score"),
        (401, {"error": "bad key a-secret-key"}, "set RIRAG_RERANK_API_KEY to a valid one"),
        (404, {"detail": "Not Found"}, "check the URL and the name of the model"),
        (500, {"error": "out of memory"}, "status 500: out of memory"),
    ],
)
def test_a_server_that_fails_is_told_in_a_sentence(
    serve: Callable[[Serve], list[Any]], status: int, reply: Any, told: str
) -> None:
    serve(lambda _: (status, reply))
    with pytest.raises(ModelError, match=told) as caught:
        load_reranker(NAME).score(QUESTION, PASSAGES)
    assert "a-secret-key" not in str(caught.value)


def test_it_is_told_where_no_server_is_named_or_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RIRAG_RERANK_URL", raising=False)
    with pytest.raises(InputError, match="URL of its server in RIRAG_RERANK_URL, such as http://"):
        load_reranker(NAME)
    monkeypatch.setattr(server, "RETRIES", 0)
    monkeypatch.setenv("RIRAG_RERANK_URL", "http://user:secret@127.0.0.1:9")
    with pytest.raises(ModelError, match="cannot be reached; start it, or correct RIRAG") as caught:
        load_reranker(NAME).score(QUESTION, PASSAGES)
    assert "secret" not in str(caught.value)
