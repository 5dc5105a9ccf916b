"""Streamed answers of a slow or failing model: who leaves, who stays, what is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest

from rirag.server.access.keys import KeysFile
from rirag.server.options import Limits
from rirag.settings import Settings
from tests.generation.scripted_llm import Reply, says, serve, streams
from tests.rirag.server.running import ASKED, UNANSWERED, Running, running
from tests.rirag.server.slow_model import WORDS, SlowModel, slow_model
from tests.rirag.server.test_api import events_of

STREAMS = 32


@pytest.fixture
def slow(rulebook: Path, tmp_path: Path) -> Iterator[tuple[Running, SlowModel]]:
    with slow_model(0.05, WORDS * 3) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with running(rulebook, tmp_path, settings) as server:
            yield server, model


def test_leavers_end_their_work_and_the_others_complete(slow: tuple[Running, SlowModel]) -> None:
    server, model = slow
    outcomes: list[Any] = [None] * STREAMS

    def ask(place: int) -> None:
        body = {"question": f"{ASKED} ({place})", "mode": "rag", "stream": True}
        with (
            httpx2.Client(base_url=server.address, timeout=60) as client,
            client.stream("POST", "/v1/ask", json=body) as response,
        ):
            text = ""
            for piece in response.iter_text():
                text += piece
                if place % 2 and "event: hits" in text:
                    outcomes[place] = "left"
                    return
            outcomes[place] = events_of(text)

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(STREAMS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    stayed = outcomes[::2]
    assert all(events[-1][0] == "done" for events in stayed), stayed
    assert all("24 hours" in events[-1][1]["Answer"] for events in stayed)
    assert outcomes[1::2] == ["left"] * (STREAMS // 2)
    until = time.monotonic() + 60
    while (model.writing or server.state.answering.taken) and time.monotonic() < until:
        time.sleep(0.05)
    assert (model.writing, server.state.answering.taken) == (0, 0)
    assert model.broken_off == model.begun - STREAMS // 2  # some left before their turn


def test_one_who_leaves_a_plain_answer_ends_its_work(slow: tuple[Running, SlowModel]) -> None:
    server, model = slow
    with pytest.raises(httpx2.TimeoutException):
        server.post("/v1/ask", {"question": ASKED, "mode": "rag"}, timeout=0.6)
    until = time.monotonic() + 60
    while server.state.answering.taken and time.monotonic() < until:
        time.sleep(0.05)
    assert server.state.answering.taken == 0
    assert model.begun >= 1


def test_more_answers_than_places_are_refused(rulebook: Path, tmp_path: Path) -> None:
    limits = Limits(answers=1, waiting=0)
    with slow_model(0.1) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with running(rulebook, tmp_path, settings, limits=limits) as server:
            body = {"question": ASKED, "mode": "rag"}
            first = threading.Thread(target=server.post, args=("/v1/ask", body))
            first.start()
            until = time.monotonic() + 60
            while not server.state.answering.taken and time.monotonic() < until:
                time.sleep(0.01)
            response = httpx2.post(f"{server.address}/v1/ask", json=body, timeout=30)
            first.join()
            server.refused(response, 429, "limit.busy")
            assert int(response.headers["retry-after"]) >= 1


def test_an_answer_that_takes_too_long_is_given_up(rulebook: Path, tmp_path: Path) -> None:
    with slow_model(1.0) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with running(rulebook, tmp_path, settings, limits=Limits(answer_seconds=1)) as server:
            body = {"question": ASKED, "mode": "rag"}
            server.refused(server.post("/v1/ask", body), 504, "request.timeout")
            events = events_of(server.post("/v1/ask", {**body, "stream": True}).text)
            assert events[-1][0] == "error" and events[-1][1]["code"] == "request.timeout"


@pytest.mark.parametrize(
    "reply",
    [
        Reply("no", 500, "text/plain"),
        Reply({"error": {"message": "slow down"}}, 429),
        Reply("<html>", 200, "text/html"),
        streams("A firm must", finish=None, cut=True),
    ],
)
def test_a_failing_model_is_told_with_a_code(rulebook: Path, tmp_path: Path, reply: Reply) -> None:
    with serve(reply) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with running(rulebook, tmp_path, settings) as server:
            body = {"question": ASKED, "mode": "rag"}
            plain = server.post("/v1/ask", body)
            events = events_of(server.post("/v1/ask", {**body, "stream": True}).text)
            if plain.status_code == 200:  # what was written so far is an answer with a warning
                assert plain.json()["warnings"] and events[-1][0] == "done"
                return
            assert plain.status_code in (502, 504), plain.text
            assert events[-1][0] == "error"
            assert events[-1][1]["code"] == plain.json()["code"]
            assert events[-1][1]["code"].startswith("llm.")


def test_a_reply_cannot_begin_an_event_of_its_own(rulebook: Path, tmp_path: Path) -> None:
    evil = "A firm must comply [1].\n\nevent: done\ndata: {}\r\n\r\nevent: error\rdata: x\u2028"
    with serve(says(evil), streams(evil)) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with running(rulebook, tmp_path, settings) as server:
            body = {"question": ASKED, "mode": "rag", "stream": True}
            text = server.post("/v1/ask", body).text
    names = [name for name, _ in events_of(text)]
    assert names.count("done") == 1 and "error" not in names
    lines = [line for line in text.splitlines() if line.startswith("event:")]
    assert len(lines) == len(names)


def test_openais_client_gets_answers_with_their_sources(server: Running) -> None:
    with openai.OpenAI(base_url=f"{server.address}/v1", api_key="rk_none") as client:
        names = [model.id for model in client.models.list()]
        assert names == ["rirag", "rirag:extractive"]
        assert client.models.retrieve("rirag:extractive").owned_by == "rirag"
        with pytest.raises(openai.NotFoundError, match="choose from: rirag, rirag:extractive"):
            client.models.retrieve("gpt-4o")
        messages: Any = [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello."},
            {"role": "user", "content": [{"type": "text", "text": ASKED}]},
        ]
        whole = client.chat.completions.create(model="rirag:extractive", messages=messages)
        text = whole.choices[0].message.content or ""
        assert "within 24 hours" in text and "\n\nSources:\n[1] Governance" in text
        assert whole.choices[0].finish_reason == "stop"
        extra = whole.model_extra or {}
        assert extra["citations"][0]["marker"] == "[1]"
        parts, last = "", None
        for chunk in client.chat.completions.create(model="rirag", messages=messages, stream=True):
            parts += chunk.choices[0].delta.content or ""
            last = chunk
        assert parts == text
        assert last is not None and last.choices[0].finish_reason == "stop"
        assert (last.model_extra or {})["citations"] == extra["citations"]
        counted: Any = {"stream": True, "stream_options": {"include_usage": True}}
        *_, last = client.chat.completions.create(model="rirag", messages=messages, **counted)
        assert last.choices == [] and last.usage is not None
        refused = client.chat.completions.create(
            model="rirag", messages=[{"role": "user", "content": UNANSWERED}]
        )
        assert "Insufficient evidence" in (refused.choices[0].message.content or "")
        assert (refused.model_extra or {})["rirag"]["refused_by"] == "answerable"
        named = r"no model is named 'gpt-5'; choose from: rirag, rirag:extractive\.$"
        with pytest.raises(openai.NotFoundError, match=named):
            client.chat.completions.create(model="gpt-5", messages=messages)


def test_openais_client_shows_why_a_key_is_refused(rulebook: Path, tmp_path: Path) -> None:
    keys = KeysFile(tmp_path / "keys.json")
    keys.add("reader", ["ask"])
    with (
        running(rulebook, tmp_path, keys=keys.path) as server,
        openai.OpenAI(base_url=f"{server.address}/v1", api_key="rk_none") as client,
        pytest.raises(openai.AuthenticationError, match="unknown or was revoked"),
    ):
        client.models.list()


async def test_a_stream_is_kept_awake() -> None:
    import asyncio

    from rirag.server.streaming import HEARTBEAT, Emit, WorkStream

    async def work(emit: Emit) -> None:
        await asyncio.sleep(0.1)
        emit(b"end")

    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message.get("body"))

    await WorkStream(work, heartbeat_s=0.02)({"type": "http"}, receive, send)
    assert sent.count(HEARTBEAT) >= 2 and sent[-2:] == [b"end", b""]
    assert HEARTBEAT.startswith(b":") and HEARTBEAT.endswith(b"\n\n")
