"""`rirag ask --mode delegate`, against a scripted server that speaks HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import Run
from scripted_llm import Reply, Script, says, serve

QUESTION = "Within how many business days must we send a final response to a complaint?"
STEP = {"title": "Time limit", "task": "Find it.", "parts": ["Rule 6.2.2"], "document": "COND"}
PLAN = says(json.dumps({"steps": [STEP]}))
REPORT = says(
    json.dumps({
        "conclusion": "40 Business Days.",
        "finding": "The final response is due within 40 Business Days [1].",
        "quotes": [{"passage": 1, "words": "within 40 Business Days"}],
        "missing": [],
    })
)  # fmt: skip
FINAL = says("FINAL ANSWER\nA final response is due within 40 Business Days [1].")
HOLDS = says(json.dumps({"verdict": "holds", "reason": "", "corrected": ""}))


def calling(**arguments: object) -> Reply:
    reply = says(None, "tool_calls")
    function = {"name": "delegate", "arguments": json.dumps(arguments)}
    call = {"id": "c1", "type": "function", "function": function}
    reply.body["choices"][0]["message"]["tool_calls"] = [call]
    return reply


WORK = (says("Notes."), PLAN, calling(**STEP), REPORT, FINAL, HOLDS)


def delegated(script: Script, rulebook: Path, *more: str) -> tuple[object, ...]:
    model = ("--llm-url", script.url, "--llm-model", "m", "--no-stream")
    return ("ask", QUESTION, "--mode", "delegate", "--index", rulebook, *model, *more)


def test_an_answer_comes_with_its_sources_and_its_legal_trace(rirag: Run, rulebook: Path) -> None:
    with serve(*WORK) as script:
        shown = rirag(*delegated(script, rulebook, "--document", "COND", "--trace"))
    assert shown.out.startswith("A final response is due within 40 Business Days [1].\n\nSources:")
    assert "[1] Conduct Rulebook (COND) 6.2.2" in shown.out
    assert "mode delegate: 7 model calls" in shown.out
    assert "LEGAL TRACE: 1 tasks" in shown.out
    assert "quote [1] 6.2.2: “within 40 Business Days”" in shown.out
    outline = script.asked[0]["messages"][1]["content"]
    assert "# COND" in outline
    assert "# GOVN" not in outline


def test_the_trace_is_in_the_json(rirag: Run, rulebook: Path) -> None:
    with serve(*WORK) as script:
        answer = rirag(*delegated(script, rulebook, "--document", "COND", "--json")).json
    report = answer["trace"]["report"]
    assert report["documents"] == ["COND"]
    assert report["findings"][0]["quotes"][0]["is_exact"]
    assert answer["trace"]["cost"] is None


def test_prices_make_costs_and_a_limit_of_the_cost(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_PROMPT_PRICE", "1000")
    monkeypatch.setenv("RIRAG_LLM_REPLY_PRICE", "1000")
    with serve(*WORK) as script:
        answer = rirag(*delegated(script, rulebook, "--document", "COND", "--json")).json
    assert answer["trace"]["cost"] == pytest.approx(7 * 18 / 1000)
    monkeypatch.setenv("RIRAG_DELEGATE_COST", "0.06")
    with serve(*WORK) as script:
        shown = rirag(*delegated(script, rulebook, "--document", "COND"))
    assert "This answer is incomplete (The limit of cost, 0.06, was reached)" in shown.out


def test_a_failure_prints_the_trace_before_it(rirag: Run, rulebook: Path) -> None:
    refused = Reply({"error": {"message": "no"}}, 401)
    with serve(says("Notes."), refused) as script:
        shown = rirag(*delegated(script, rulebook, "--document", "COND", "--trace"))
    assert shown.code == 8
    assert "1. notes" in shown.err
    assert "2. plan (senior): failed after" in shown.err
    assert "rejected the key (401: " in shown.err


def test_juniors_may_have_a_model_of_their_own(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIRAG_LLM_MODEL_JUNIOR", "small")
    with serve(*WORK) as script:
        rirag(*delegated(script, rulebook, "--document", "COND"))
    models = [asked["model"] for asked in script.asked]
    assert models == ["m", "m", "m", "small", "m", "m", "m"]


def test_a_server_without_functions_and_shapes_is_told_in_words(rirag: Run, rulebook: Path) -> None:
    no_shape = Reply({"error": {"message": "unknown field response_format"}}, 400)
    no_tools = Reply({"error": {"message": "unknown field tools"}}, 400)
    in_words = says(json.dumps({"calls": [{"name": "delegate", "arguments": STEP}]}))
    replies = (says("Notes."), no_shape, PLAN, no_tools, in_words, REPORT, FINAL, HOLDS)
    with serve(*replies) as script:
        shown = rirag(*delegated(script, rulebook, "--document", "COND", "--trace"))
        asked = script.asked
    assert shown.out.startswith("A final response is due within 40 Business Days [1].")
    assert "note> The server has no function calling" in shown.out
    assert not any("tools" in one or "response_format" in one for one in asked[4:])


def test_an_unknown_document_is_refused_before_anybody_is_asked(rirag: Run, rulebook: Path) -> None:
    with serve(*WORK) as script:
        shown = rirag(*delegated(script, rulebook, "--document", "XYZZY"))
        assert not script.asked
    assert "no document is named 'XYZZY'" in shown.refused(2)
