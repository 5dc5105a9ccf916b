"""Modes that ask more than once: one after the other, several at once, of several models."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from running_tasks import no_task_but, until_running
from scripted_modes import ScriptedLLM, ScriptedMode, ask

from generation import Answer, AnswerSettings, answer, answer_async
from generation.llm.calls import completion_of, completions_of
from generation.llm.roles import Models
from generation.llm.running import run as run_to_end
from generation.llm.trace import Trace
from generation.mode import Draft
from search.errors import InputError, LLMError

WAYS = ["blocking", "in a loop"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(way: Any, llm: Models | None, how: str, **more: Any) -> Answer:
        monkeypatch.setattr("generation.answering.load_mode", lambda _: ScriptedMode(way))
        if how == "blocking":
            return answer("Why?", [], llm=llm, **more)
        return asyncio.run(answer_async("Why?", [], llm=llm, **more))

    return run


def echo(wait_s: float = 0.0) -> ScriptedLLM:
    return ScriptedLLM(lambda prompt: "re " + prompt.messages[0].content, wait_s)


def group_of(count: int) -> Any:
    def way(request: Any) -> Iterator[Any]:
        replies = yield tuple(ask(f"n{n}", final=False) for n in range(count))
        said = [str(r) if isinstance(r, LLMError) else r.text for r in replies]
        return Draft(" | ".join(said))

    return way


@pytest.mark.parametrize("how", WAYS)
def test_replies_to_a_group_come_in_the_order_asked_and_are_bounded(run: Any, how: str) -> None:
    llm = echo(0.02)
    result = run(group_of(9), llm, how, settings=AnswerSettings(calls_at_once=3))
    assert result.text == " | ".join(f"re n{n}" for n in range(9))
    assert llm.most_at_once == 3
    assert [call.purpose for call in result.trace.calls] == [f"n{n}" for n in range(9)]
    assert (result.trace.prompt_tokens, result.trace.completion_tokens) == (90, 45)


@pytest.mark.parametrize("how", WAYS)
def test_one_failure_in_a_group_leaves_the_others_and_is_in_the_trace(run: Any, how: str) -> None:
    llm = ScriptedLLM(
        lambda prompt: LLMError("timed out") if prompt.messages[0].content == "n4" else "fine"
    )
    result = run(group_of(9), llm, how)
    assert result.text.split(" | ") == ["fine"] * 4 + ["timed out"] + ["fine"] * 4
    assert [call.error for call in result.trace.calls] == [""] * 4 + ["timed out"] + [""] * 4
    assert "5. n4: failed after" in result.trace.to_text()


@pytest.mark.parametrize("how", WAYS)
def test_an_empty_group_asks_nobody(run: Any, how: str) -> None:
    llm = echo()
    assert run(group_of(0), llm, how).text == ""
    assert not llm.asked


@pytest.mark.parametrize("how", WAYS)
def test_a_failure_that_the_mode_does_not_catch_carries_the_trace(run: Any, how: str) -> None:
    def way(request: Any) -> Iterator[Any]:
        yield ask("first")
        yield ask("second")
        raise AssertionError("not reached")

    llm = ScriptedLLM(
        lambda prompt: LLMError("key expired") if prompt.messages[0].content == "second" else "ok"
    )
    with pytest.raises(LLMError, match="key expired") as caught:
        run(way, llm, how)
    trace = caught.value.trace
    assert isinstance(trace, Trace)
    assert [(call.purpose, call.error) for call in trace.calls] == [
        ("first", ""),
        ("second", "key expired"),
    ]
    assert "2. second: failed after" in trace.to_text()


@pytest.mark.parametrize("how", WAYS)
def test_an_error_that_is_none_of_a_model_comes_out_as_it_is(run: Any, how: str) -> None:
    def reply(prompt: Any) -> str:
        raise InputError("The model's settings are wrong.")

    with pytest.raises(InputError, match="settings are wrong"):
        run(group_of(5), ScriptedLLM(reply), how)


@pytest.mark.parametrize("how", WAYS)
def test_a_mode_may_go_on_after_a_failure(run: Any, how: str) -> None:
    def way(request: Any) -> Iterator[Any]:
        try:
            yield ask("first")
        except LLMError as error:
            return Draft(f"without it: {error}")
        raise AssertionError("not reached")

    assert run(way, ScriptedLLM(lambda _: LLMError("down")), how).text == "without it: down"


@pytest.mark.parametrize("how", WAYS)
def test_each_role_has_its_model_and_others_the_default(run: Any, how: str) -> None:
    def way(request: Any) -> Iterator[Any]:
        limits = request.limits_of("junior").context, request.limits_of("senior").context
        replies = yield ask("a", model="junior"), ask("b", model="senior")
        return Draft(f"{limits} {[reply.text for reply in replies]}")

    default = ScriptedLLM(lambda _: "default", context=1000)
    junior = ScriptedLLM(lambda _: "junior", context=500)
    result = run(way, {"": default, "junior": junior}, how)
    assert result.text == "(500, 1000) ['junior', 'default']"
    assert [call.role for call in result.trace.calls] == ["junior", "senior"]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("llm", [None, {}, {"junior": echo()}])
def test_without_a_default_model_a_mode_that_needs_one_is_refused(
    run: Any, how: str, llm: Any
) -> None:
    with pytest.raises(InputError, match="needs a language model"):
        run(group_of(1), llm, how)


async def test_cancelling_an_answer_cancels_all_its_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    llm = echo(60)
    monkeypatch.setattr("generation.answering.load_mode", lambda _: ScriptedMode(group_of(9)))
    before = asyncio.all_tasks()
    task = asyncio.create_task(answer_async("Why?", [], llm=llm))
    await until_running(llm, 4)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (llm.running, llm.cancelled, len(llm.asked)) == (0, 4, 4)
    await no_task_but(before)


def test_an_interrupt_keeps_waiting_calls_from_beginning(run: Any) -> None:
    def reply(prompt: Any) -> str:
        signal.raise_signal(signal.SIGINT)
        return "too late"

    llm = ScriptedLLM(reply)
    with pytest.raises(KeyboardInterrupt):
        run(group_of(200), llm, "blocking", settings=AnswerSettings(calls_at_once=1))
    assert len(llm.asked) < 200


def test_a_single_reply_and_several_are_not_mixed_up() -> None:
    done = run_to_end(echo().complete_async(ask("x").prompt))
    assert completion_of(done) is done
    with pytest.raises(TypeError):
        completion_of((done,))
    with pytest.raises(TypeError):
        completions_of(done)
