"""OpenAI's form of a chat: what its clients show, and what they must not lose in silence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rirag.settings import Settings
from tests.generation.scripted_llm import Reply, says, serve, streams
from tests.rirag.server.running import ASKED, Running, running

CHAT = "/v1/chat/completions"
FALSE = "A Licensed Firm must notify the Commission of a Material Incident within 72 hours [1]."


def chat(server: Running, *turns: str, model: str = "rirag:extractive", **fields: Any) -> Any:
    messages = [{"role": "user", "content": turn} for turn in turns]
    return server.post(CHAT, {"model": model, "messages": messages, **fields})


def content(response: Any) -> str:
    assert response.status_code == 200, response.text
    return str(response.json()["choices"][0]["message"]["content"])


def chunks(text: str) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    assert lines.pop() == "[DONE]"
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("replies", "finish", "said"),
    [
        ((says(FALSE), streams(FALSE)), "stop", "- unsupported: “A Licensed Firm must notify"),
        (
            (says(FALSE, "length"), streams(FALSE, finish="length")),
            "length",
            "- The answer reached the limit of reply tokens and is incomplete.",
        ),
        (
            (says(FALSE, "content_filter"), streams(FALSE, finish="content_filter")),
            "content_filter",
            "- The server's content filter cut the answer",
        ),
    ],
)
def test_the_text_says_what_is_known_against_it_above_its_sources(
    rulebook: Path, tmp_path: Path, replies: tuple[Reply, Reply], finish: str, said: str
) -> None:
    with serve(*replies) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with running(rulebook, tmp_path, settings) as server:
            whole = chat(server, ASKED, model="rirag:rag")
            sent = chunks(chat(server, ASKED, model="rirag:rag", stream=True).text)
    text = "".join(one["choices"][0]["delta"].get("content", "") for one in sent)
    assert text == content(whole)
    answer, _, sources = text.partition("\n\nSources:\n")
    assert answer.startswith(FALSE) and said in answer and sources.startswith("[1] ")
    ends = [whole.json()["choices"][0], sent[-1]["choices"][0]]
    assert [one["finish_reason"] for one in ends] == [finish, finish]
    assert len({(one["id"], one["created"], one["model"]) for one in sent}) == 1
    assert whole.json()["usage"]["total_tokens"] == 18


def test_tokens_that_a_model_server_does_not_report_are_unknown(
    rulebook: Path, tmp_path: Path
) -> None:
    with serve(streams(FALSE)) as model:
        settings = Settings(index=str(rulebook), llm_url=model.url, llm_model="m")
        with running(rulebook, tmp_path, settings) as server:
            counted = {"stream": True, "stream_options": {"include_usage": True}}
            sent = chunks(chat(server, ASKED, model="rirag:rag", **counted).text)
    assert sent[-1]["choices"] == [] and sent[-1]["usage"] is None


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"response_format": {"type": "json_object"}}, "response_format.type"),
        ({"response_format": {"type": "json_schema", "json_schema": {}}}, "response_format.type"),
        ({"response_format": {"type": "text"}}, None),
        ({"n": 2}, "n"),
        ({"n": 1, "tools": [], "tool_choice": "auto", "stop": ["."], "seed": 1}, None),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tool_choice": {"type": "function", "function": {"name": "f"}}}, "tool_choice"),
        ({"function_call": {"name": "f"}}, "function_call"),
        ({"modalities": ["text", "audio"]}, "modalities.1"),
        ({"logprobs": True}, "logprobs"),
        ({"filters": {"kind": "rule"}}, "filters.kind"),
        ({"n": None, "filters": None, "profile": None, "logprobs": None}, None),
    ],
)
def test_a_field_that_would_change_the_answer_is_refused(
    server: Running, fields: dict[str, Any], param: str | None
) -> None:
    response = chat(server, ASKED, **fields)
    if param is None:
        assert "24 hours" in content(response)
        return
    error = server.refused(response, 422, "request.invalid")["error"]
    assert error["param"] == param and error["message"].startswith(f"{param}: it must be")
    assert error["type"] == "invalid_request_error"


def test_filters_and_profile_are_those_of_ask(server: Running) -> None:
    found = chat(server, ASKED, filters={"document": ["AMLR"]}, profile="lexical").json()
    assert {one["document_id"] for one in found["citations"]} <= {"AMLR"}
    server.refused(chat(server, ASKED, profile="none"), 422, "profile.unknown")
    server.refused(chat(server, ASKED, filters={"shoe": ["9"]}), 422, "filter.unknown-field")


@pytest.mark.parametrize("model", ["gpt", "rirag:none"])
def test_an_unknown_model_is_not_found(server: Running, model: str) -> None:
    for response in (chat(server, ASKED, model=model), server.client.get(f"/v1/models/{model}")):
        error = server.refused(response, 404, "chat.unknown-model")["error"]
        assert error["code"] == "model_not_found" and error["param"] == "model"


@pytest.mark.parametrize(
    ("turns", "understood"),
    [
        ([ASKED, "And to whom?"], f"{ASKED} And to whom?"),
        ([ASKED, "And if it cannot?", "Why?"], f"{ASKED} And if it cannot? Why?"),
        ([ASKED, "What if it doesn’t?"], f"{ASKED} What if it doesn’t?"),
        ([ASKED, "And the fees?"], f"{ASKED} And the fees?"),
        ([ASKED, "What is tipping off?"], ""),
        ([ASKED, "outsourcing"], ""),
        (["Hello", ASKED], ""),
        (["And to whom?"], ""),
    ],
)
def test_a_turn_that_is_no_whole_question_is_joined_with_those_before(
    server: Running, turns: list[str], understood: str
) -> None:
    response = chat(server, *turns)
    text = content(response)
    assert text.startswith(f"Understood as: “{understood}”\n\n") == bool(understood)
    assert response.json()["rirag"]["question"] == (understood or turns[-1])
    if understood:
        assert "24 hours" in text
        sent = chunks(chat(server, *turns, stream=True).text)
        assert sent[0]["choices"][0]["delta"]["content"].startswith("Understood as: “")
