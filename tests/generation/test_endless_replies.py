"""Language-model servers that go on sending and never come to an end."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hits import make_hits
from scripted_llm import says, serve

from generation import LLMSettings, OpenAILLM, answer, answer_async
from generation.llm.openai.requests import hurried
from generation.llm.protocol import Completion, Message, Prompt, Tool
from search.errors import InputError, LLMError

PROMPT = Prompt((Message("user", "Who pays?"),), 50)
HEAD = b"HTTP/1.1 200 OK\r\n"
TRICKLES = {
    "headers": (HEAD, b"X-More: 1\r\n"),
    "body": (HEAD + b"Content-Type: application/json\r\nContent-Length: 999999\r\n\r\n{", b" "),
    "until it closes": (HEAD + b"Content-Type: application/json\r\n\r\n{", b" "),
    "comments": (HEAD + b"Content-Type: text/event-stream\r\n\r\n", b": wait\n\n"),
}
"""What is sent first, and what is then sent for ever."""
LATE = r"was not complete after 0\.5 s"


def event(text: str) -> bytes:
    chunk = {"id": "1", "choices": [{"index": 0, "delta": {"content": text}}]}
    return f"data: {json.dumps(chunk)}\n\n".encode()


@contextmanager
def trickling(first: bytes, then: bytes, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    """Run a server that never stops; yield its address, and the paths it was asked for."""
    stopping, asked = threading.Event(), list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            try:
                self.wfile.write(first.replace(b" 200 ", f" {status} ".encode()))
                while not stopping.wait(0.02):
                    self.wfile.write(then)
            except OSError:
                pass  # the client has gone, as it should

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = False
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        giving_up = threading.Timer(30, stopping.set)  # for a client that would wait for ever
        giving_up.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1", asked
        finally:
            giving_up.cancel()
            stopping.set()
            server.shutdown()
            thread.join()


def model(url: str, **more: Any) -> OpenAILLM:
    settings = {"timeout_s": 5, "reply_timeout_s": 0.5, "retries": 0, "context_tokens": 4096}
    return OpenAILLM(LLMSettings(url=url, model="m", **{**settings, **more}))


def complete(llm: OpenAILLM, how: str, prompt: Prompt = PROMPT) -> Completion:
    hear = (lambda _: None) if "stream" in how else None
    if "async" in how:
        return asyncio.run(llm.complete_async(prompt, hear))
    return llm.complete(prompt, hear)


WAYS = ["whole", "stream", "async", "async stream"]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("kind", TRICKLES)
def test_a_server_that_never_ends_its_reply_is_given_up(how: str, kind: str) -> None:
    with trickling(*TRICKLES[kind]) as (url, _), pytest.raises(LLMError) as refused:
        complete(model(url), how)
    assert str(refused.value) == (
        f"The reply of the language model at {url} was not complete after 0.5 s; "
        "check whether the server is overloaded, or raise the time limit "
        "(reply_timeout_s)."
    )


@pytest.mark.parametrize("how", WAYS)
def test_no_other_way_is_tried_after_an_endless_reply(how: str) -> None:
    prompt = Prompt(PROMPT.messages, 50, tools=(Tool("read", "Reads."),), tools_required=True)
    with trickling(*TRICKLES["body"]) as (url, asked), pytest.raises(LLMError, match=LATE):
        complete(model(url), how, prompt)
    assert len(asked) <= 1, "the time may be over before the server has heard of it"


@pytest.mark.parametrize("how", ["whole", "async"])
def test_an_endless_list_of_models_is_given_up(how: str) -> None:
    with trickling(*TRICKLES["body"]) as (url, _), pytest.raises(LLMError, match=LATE):
        llm = model(url, context_tokens=None)
        _ = asyncio.run(llm.limits_async()) if how == "async" else llm.limits()


@pytest.mark.parametrize("how", ["whole", "async"])
def test_no_further_attempt_is_made_when_the_time_is_over(how: str) -> None:
    with (
        trickling(*TRICKLES["body"], status=503) as (url, asked),
        pytest.raises(LLMError, match=LATE),
    ):
        complete(model(url, retries=5), how)
    assert len(asked) <= 1, "the time may be over before the server has heard of it"


@pytest.mark.parametrize("how", ["stream", "async stream"])
def test_what_came_of_an_endless_stream_is_kept(how: str) -> None:
    text = "A Person must pay the fee [1]."
    first = HEAD + b"Content-Type: text/event-stream\r\n\r\n" + event(text)
    hits, heard = make_hits("A Person must pay the fee."), list[str]()
    with trickling(first, b": wait\n\n") as (url, _):
        llm = model(url, reply_timeout_s=2)
        asked = {"mode": "rag", "llm": llm, "on_text": heard.append}
        if "async" in how:
            result = asyncio.run(answer_async("Who pays?", hits, **asked))
        else:
            result = answer("Who pays?", hits, **asked)
    assert result.text == "".join(heard) == text
    assert [(one.kind, one.message) for one in result.warnings] == [
        (
            "cut",
            (
                "The time limit of the reply ended before the answer was complete; the "
                "received part is kept."
            ),
        )
    ]
    assert result.trace
    assert result.trace.calls[0].completion.finish == "late"


def test_a_call_that_is_given_less_time_keeps_to_it() -> None:
    prompt = Prompt(PROMPT.messages, 50, timeout_s=0.4)
    expected = pytest.raises(LLMError, match=r"did not answer within 0\.4 s")
    with trickling(*TRICKLES["body"]) as (url, _), expected:
        model(url, reply_timeout_s=None).complete(prompt)


def test_the_time_of_a_whole_reply_is_ten_pauses_unless_it_is_set() -> None:
    settings = LLMSettings(url="http://127.0.0.1:1/v1", model="m", timeout_s=7)
    assert settings.longest_reply_s == 70
    assert hurried(settings, 20).longest_reply_s == 20
    assert (hurried(settings, 20).timeout_s, hurried(settings, 20).retries) == (7, 2)
    assert (hurried(settings, 3).timeout_s, hurried(settings, 3).retries) == (3, 0)
    assert hurried(settings, 100) == settings
    for wrong in (0, -1, float("inf")):
        with pytest.raises(InputError, match="must be above 0"):
            LLMSettings(url="http://127.0.0.1:1/v1", model="m", reply_timeout_s=wrong)


def test_a_reply_in_time_leaves_nothing_behind() -> None:
    with serve(says("Pay.")) as script:
        before = threading.active_count()
        assert complete(model(script.url, reply_timeout_s=1e300), "whole").text == "Pay."
        ended = time.monotonic() + 60
        while threading.active_count() > before and time.monotonic() < ended:
            time.sleep(0.01)
    assert threading.active_count() <= before
