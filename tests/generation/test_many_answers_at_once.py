"""Many answers at a time: bounded calls, cancellation, and nothing left behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hits import make_hits
from real_model import CONTEXT, KEY, serve_real_model
from running_tasks import no_task_but, until_running
from scripted_llm import says, serve, streams
from scripted_modes import ScriptedLLM

from generation import Answer, BoundedLLM, LLMSettings, OpenAILLM, Trace, answer, answer_async
from generation.llm.protocol import Completion, Prompt
from search.errors import InputError, LLMError

HITS = make_hits("A Person must pay the fee.", "A Person must keep records for six years.")
MANY = 32
MODES = ("rag", "advisor", "zero-shot")


def echo(prompt: Prompt) -> str:
    """Answer with the number of the question, to tell answers apart."""
    asked = prompt.messages[1].content.rpartition("begin question>>\n")[2]
    return f"A Person must pay fee number {asked.split()[1]} [1]."


def question(number: int) -> str:
    return f"Fee {number} is due when?"


async def ask(llm: object, number: int) -> Answer:
    return await answer_async(question(number), HITS, mode=MODES[number % 3], llm=llm)


async def ask_all(llm: object) -> Sequence[Answer]:
    before = asyncio.all_tasks()
    async with asyncio.timeout(60):  # a place that got lost would be waited for without end
        answers = await asyncio.gather(*(ask(llm, number) for number in range(MANY)))
    await no_task_but(before)
    return answers


def test_each_of_many_gets_its_own_answer_and_no_more_run_than_may() -> None:
    inner = ScriptedLLM(echo, wait_s=0.1)
    answers = asyncio.run(ask_all(BoundedLLM(inner, at_once=5)))
    for number, one in enumerate(answers):
        assert (one.question, one.mode) == (question(number), MODES[number % 3])
        assert one.text.startswith(f"A Person must pay fee number {number} [1]")
    assert (inner.most_at_once, inner.running, len(inner.asked)) == (5, 0, MANY)


def test_threads_and_event_loop_share_the_places() -> None:
    inner = ScriptedLLM(echo, wait_s=0.1)
    llm = BoundedLLM(inner, at_once=3)
    with ThreadPoolExecutor(MANY) as pool:
        blocking = [
            pool.submit(answer, question(number), HITS, mode="rag", llm=llm)
            for number in range(MANY)
        ]
        asyncio.run(ask_all(llm))
        assert all("fee number" in one.result().text for one in blocking)
    assert (inner.most_at_once, inner.running) == (3, 0)


def test_a_crowd_is_refused_at_once_and_those_before_it_are_answered() -> None:
    async def crowd() -> list[Answer | BaseException]:
        llm = BoundedLLM(ScriptedLLM(echo, wait_s=0.1), at_once=2, waiting=4)
        asked = (ask(llm, number) for number in range(MANY))
        return await asyncio.gather(*asked, return_exceptions=True)

    outcomes = asyncio.run(crowd())
    refused = [one for one in outcomes if isinstance(one, LLMError)]
    assert len(refused) == MANY - 6
    assert str(refused[0]).startswith("The language model is busy: 4 calls are already waiting")
    assert sum(isinstance(one, Answer) for one in outcomes) == 6


def test_cancelled_answers_stop_their_calls_and_give_their_places_back() -> None:
    inner = ScriptedLLM(echo, wait_s=30)
    llm = BoundedLLM(inner, at_once=4)

    async def cancel_all() -> None:
        before = asyncio.all_tasks()
        tasks = [asyncio.create_task(ask(llm, number)) for number in range(MANY)]
        await until_running(inner, 4)
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in done)
        await no_task_but(before)
        assert (inner.running, inner.cancelled) == (0, 4)
        inner.wait_s = 0
        await ask_all(llm)

    asyncio.run(cancel_all())
    assert inner.most_at_once == 4


def test_half_of_many_can_go_away_without_harm_to_the_others() -> None:
    inner = ScriptedLLM(echo, wait_s=0.1)
    llm = BoundedLLM(inner, at_once=4)

    async def some_leave() -> list[Answer | BaseException]:
        tasks = [asyncio.create_task(ask(llm, number)) for number in range(MANY)]
        await until_running(inner, 4)
        for task in tasks[::2]:
            task.cancel()
        async with asyncio.timeout(60):
            return await asyncio.gather(*tasks, return_exceptions=True)

    outcomes = asyncio.run(some_leave())
    stayed = outcomes[1::2]
    assert all(isinstance(one, Answer) for one in stayed)
    assert inner.running == 0


def test_a_failed_call_gives_its_place_back() -> None:
    llm = BoundedLLM(ScriptedLLM(lambda _: LLMError("down")), at_once=1, waiting=0)
    for _ in range(3):
        with pytest.raises(LLMError, match="down"):
            answer("Who pays?", HITS, mode="rag", llm=llm)


def test_bounds_that_let_nobody_in_are_refused() -> None:
    with pytest.raises(InputError, match="must be 1 or more, not 0"):
        BoundedLLM(ScriptedLLM(echo), at_once=0)


@pytest.mark.parametrize("streamed", [False, True])
def test_many_answers_over_http_leave_no_task_and_no_thread(streamed: bool) -> None:
    threads = set(threading.enumerate())
    reply = streams("A Person must ", "pay [1].") if streamed else says("A Person must pay [1].")
    with serve(replace(reply, wait_s=0.05)) as script:
        settings = LLMSettings(url=script.url, model="m", context_tokens=4096)
        llm = BoundedLLM(OpenAILLM(settings), at_once=8)

        async def ask_http() -> list[tuple[str, str]]:
            async def one() -> tuple[str, str]:
                heard: list[str] = []
                hear = heard.append if streamed else None
                done = await answer_async("Who?", HITS, mode="rag", llm=llm, on_text=hear)
                return done.text, "".join(heard) or done.text

            before = asyncio.all_tasks()
            found = await asyncio.gather(*(one() for _ in range(MANY)))
            await no_task_but(before)
            return found

        assert asyncio.run(ask_http()) == [("A Person must pay [1].",) * 2] * MANY
        assert len(script.asked) == MANY
    started = set(threading.enumerate()) - threads
    assert not [one for one in started if one.name.startswith("asyncio_")]


@pytest.mark.llm
def test_a_real_model_answers_several_at_a_time() -> None:
    with serve_real_model(parallel=2) as url:
        settings = LLMSettings(
            url=url, model="smollm2", api_key=KEY, max_tokens=16, context_tokens=CONTEXT
        )
        llm = BoundedLLM(OpenAILLM(settings), at_once=2)

        async def ask_real() -> list[Trace | None]:
            asked = (trace_of(llm, mode) for mode in (*MODES, "rag"))
            return list(await asyncio.gather(*asked))

        traces = asyncio.run(ask_real())
    for trace in traces:
        assert trace is not None
        (call,) = trace.calls
        assert isinstance(call.completion, Completion)
        assert call.completion.completion_tokens


async def trace_of(llm: BoundedLLM, mode: str) -> Trace | None:
    try:
        return (await answer_async("Who pays?", HITS, mode=mode, llm=llm)).trace
    except LLMError as error:  # so small a model may write nothing but the marks of its prompt
        assert "only markers of its prompt;" in str(error)
        return error.trace  # type: ignore[return-value]
