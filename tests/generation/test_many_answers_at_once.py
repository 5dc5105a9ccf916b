"""Many answers at a time: cancellation, and nothing left behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hits import make_hits
from real_model import CONTEXT, KEY, serve_real_model
from running_tasks import no_task_but, until_running
from scripted_llm import says, serve, streams
from scripted_modes import ScriptedLLM

from generation import Answer, LLMSettings, OpenAILLM, Trace, answer_async
from generation.llm.protocol import Completion, Prompt
from search.errors import LLMError

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


def test_each_of_many_gets_its_own_answer() -> None:
    inner = ScriptedLLM(echo, wait_s=0.1)
    answers = asyncio.run(ask_all(inner))
    for number, one in enumerate(answers):
        assert (one.question, one.mode) == (question(number), MODES[number % 3])
        assert one.text.startswith(f"A Person must pay fee number {number} [1]")
    assert (inner.running, len(inner.asked)) == (0, MANY)


def test_half_of_many_can_be_cancelled_without_harm_to_the_others() -> None:
    inner = ScriptedLLM(echo, wait_s=0.1)

    async def some_leave() -> list[Answer | BaseException]:
        before = asyncio.all_tasks()
        tasks = [asyncio.create_task(ask(inner, number)) for number in range(MANY)]
        await until_running(inner, MANY)
        for task in tasks[::2]:
            task.cancel()
        async with asyncio.timeout(60):
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        await no_task_but(before)
        return outcomes

    outcomes = asyncio.run(some_leave())
    assert all(isinstance(one, asyncio.CancelledError) for one in outcomes[::2])
    assert all(isinstance(one, Answer) for one in outcomes[1::2])
    assert (inner.running, inner.cancelled) == (0, MANY // 2)


@pytest.mark.parametrize("streamed", [False, True])
def test_many_answers_over_http_leave_no_task_and_no_thread(streamed: bool) -> None:
    threads = set(threading.enumerate())
    reply = streams("A Person must ", "pay [1].") if streamed else says("A Person must pay [1].")
    with serve(replace(reply, wait_s=0.05)) as script:
        settings = LLMSettings(url=script.url, model="m", context_tokens=4096)
        llm = OpenAILLM(settings)

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
        llm = OpenAILLM(settings)

        async def ask_real() -> list[Trace | None]:
            asked = (trace_of(llm, mode) for mode in (*MODES, "rag"))
            return list(await asyncio.gather(*asked))

        traces = asyncio.run(ask_real())
    for trace in traces:
        assert trace is not None
        (call,) = trace.calls
        assert isinstance(call.completion, Completion)
        assert call.completion.completion_tokens


async def trace_of(llm: OpenAILLM, mode: str) -> Trace | None:
    try:
        return (await answer_async("Who pays?", HITS, mode=mode, llm=llm)).trace
    except LLMError as error:  # so small a model may write nothing but the marks of its prompt
        assert "only markers of its prompt;" in str(error)
        return error.trace  # type: ignore[return-value]
