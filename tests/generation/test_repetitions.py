"""Models that run in a loop."""

from __future__ import annotations

import asyncio

import pytest
from effort import no_runaway
from hits import make_hits
from scripted_llm import says, serve, streams
from scripted_modes import ScriptedLLM

from generation import Answer, LLMSettings, OpenAILLM, answer, answer_async
from generation.llm.looping import runs_in_a_loop
from generation.replies.drafts import without_repetitions

HITS = make_hits("A Person must pay the fee within ten days.", "The Regulator may waive the fee.")
PAY = "A Person must pay the fee within ten days [1]."
WAIVE = "The Regulator may waive the fee [2]."


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (f"{PAY}\n\n" * 10, PAY),
        (f"{PAY} {PAY}\n\n{WAIVE}", f"{PAY}\n\n{WAIVE}"),
        (f"{PAY} {WAIVE}\n\n" * 4, f"{PAY} {WAIVE}"),
        (f"1. {PAY}\n2. {WAIVE}\n3. {PAY}\n4. {WAIVE}", f"1. {PAY}\n2. {WAIVE}"),
        ("It must pay now. [1] " * 3 + "It may wait. [2]", "It must pay now. [1] It may wait. [2]"),
        (f"{PAY} {PAY} {WAIVE}\n" * 2, f"{PAY} {WAIVE}"),
        (f"{PAY} {WAIVE} {PAY} {WAIVE} {PAY} The Regu", f"{PAY} {WAIVE}"),
        (f"## What to pay by when\n{PAY}\n" * 3, f"## What to pay by when\n{PAY}"),
    ],
    ids=["paragraph", "before another", "round", "list", "behind the stop", "loop in a loop",
         "broken off", "with its heading"],
)  # fmt: skip
def test_what_is_said_again_behind_itself_is_shown_once(written: str, shown: str) -> None:
    assert without_repetitions(written)[0] == shown


@pytest.mark.parametrize(
    "text",
    [
        f"## Firms\n{PAY}\n## Persons\n{PAY}",
        f"For firms:\n- {PAY}\n\nFor persons:\n- {PAY}",
        f"{PAY} {WAIVE} {PAY}",
        "The first firm is large. It must pay the fee. The second is small. It must pay the fee.",
        "Yes. Yes.\n\n| a | 1 |\n| --- | --- |\n| --- | --- |",
        f"{PAY} {PAY[:-4]} [2].",
    ],
)
def test_what_is_said_again_of_something_else_stays(text: str) -> None:
    assert without_repetitions(text) == (text, 0)


def test_repetitions_cost_no_more_than_the_length_of_the_answer() -> None:
    with no_runaway():
        assert without_repetitions("1. " * 50_000)[1] >= 0
        assert without_repetitions(f"{PAY}\n" * 20_000) == (PAY, 19_999)
        assert not runs_in_a_loop("- " * 500_000)


@pytest.mark.parametrize("mode", ["rag", "advisor", "zero-shot"])
def test_the_reader_is_told_of_a_loop(mode: str) -> None:
    llm = ScriptedLLM(lambda _: f"{PAY}\n\n" * 10)
    result = answer("Who pays?", HITS, mode=mode, llm=llm)
    assert result.text == PAY
    told = [one.message for one in result.warnings if one.kind == "repeated"]
    assert told == [
        "The language model repeated itself: 9 sentences that it repeated are shown once."
    ]


def model(url: str) -> OpenAILLM:
    return OpenAILLM(LLMSettings(url=url, model="m", context_tokens=4096, retries=0))


def check_stopped(result: Answer, heard: list[str]) -> None:
    assert "".join(heard).strip() == f"{PAY}\n\n" * 2 + PAY
    assert result.text == PAY
    assert [one.message for one in result.warnings] == [
        "The language model repeated itself: 2 sentences that it repeated are shown once, and its "
        "reply was stopped, so it may be incomplete."
    ]
    assert result.trace
    assert result.trace.calls[0].completion.finish == "looped"


def test_a_stream_is_stopped_when_the_same_came_three_times() -> None:
    heard: list[str] = []
    with serve(streams(*[f"{PAY}\n\n"] * 50)) as script:
        llm = model(script.url)
        result = answer("Who pays?", HITS, mode="rag", llm=llm, on_text=heard.append)
    check_stopped(result, heard)


async def test_a_stream_is_stopped_in_an_event_loop_too() -> None:
    heard: list[str] = []
    with serve(streams(*[f"{PAY}\n\n"] * 50)) as script:
        llm = model(script.url)
        result = await answer_async("Who pays?", HITS, mode="rag", llm=llm, on_text=heard.append)
        await asyncio.sleep(0)
    check_stopped(result, heard)


def test_emphasis_does_not_stop_a_stream() -> None:
    heard: list[str] = []
    with serve(streams(f"{PAY}\n\n", f"{PAY}\n\n", WAIVE)) as script:
        llm = model(script.url)
        result = answer("Who pays?", HITS, mode="rag", llm=llm, on_text=heard.append)
    assert "".join(heard).endswith(WAIVE)
    assert result.text == f"{PAY}\n\n{WAIVE}"


def test_a_whole_reply_in_a_loop_is_shown_once_too() -> None:
    with serve(says(f"{PAY} {WAIVE}\n" * 30 + "A Person mu", "length")) as script:
        result = answer("Who pays?", HITS, mode="rag", llm=model(script.url))
    assert result.text == f"{PAY} {WAIVE}"
    assert [one.kind for one in result.warnings] == ["cut", "repeated"]
