"""Answer a question from hits: filter, mode, language model, answer with its trace."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from generation.answer_context import AnswerContext
from generation.job import Job
from generation.llm.exchanges import exchange, exchange_all
from generation.llm.protocol import OnText
from generation.llm.roles import Cast, Models
from generation.llm.running import run
from generation.modes import load_mode
from generation.records import Answer
from generation.settings import AnswerSettings
from search.records import Hit


def answer(  # noqa: PLR0913 - all but the first two are named
    question: str,
    hits: Sequence[Hit],
    *,
    mode: str = "extractive",
    settings: AnswerSettings | None = None,
    llm: Models | None = None,
    question_id: str | None = None,
    on_text: OnText | None = None,
    answerable: float | None = None,
    context: AnswerContext | None = None,
) -> Answer:
    """Answer a question from the hits of a search.

    Where the filter leaves nothing, the answer says so and no model is called, unless the mode
    answers from something else than hits.

    Args:
        question: the question, as it was asked.
        hits: the ranked hits, best first.
        mode: one of `generation.MODES`; `extractive` needs no model.
        settings: the filter's numbers, the length of an extractive answer, and limits.
        llm: the language model, or several by role (`""` is the default one); the modes that use
            one need it.
        question_id: kept in the answer, for evaluation.
        on_text: gets the text of the answer as it is written, safe to print; what no model
            writes comes in one piece.
        answerable: probability that the index has an answer (`trace.answerable` of a search);
            below the filter's floor the answer says that there is none.
        context: what else comes with the question.

    Raises:
        InputError: the question is empty, the mode unknown, its model missing, or something is no
            hit, no settings, no model.
        LLMError: the model cannot be reached or gives no usable reply; `error.trace` holds the
            calls made before.
    """
    job = Job(
        question, hits, load_mode(mode), settings or AnswerSettings(), question_id, on_text,
        answerable, context or AnswerContext(),
    )  # fmt: skip
    run(_make_calls(job, Cast.of(mode, llm), _at_once))
    return job.answer()


async def answer_async(  # noqa: PLR0913
    question: str,
    hits: Sequence[Hit],
    *,
    mode: str = "extractive",
    settings: AnswerSettings | None = None,
    llm: Models | None = None,
    question_id: str | None = None,
    on_text: OnText | None = None,
    answerable: float | None = None,
    context: AnswerContext | None = None,
) -> Answer:
    """Answer a question as `answer` does, without blocking the event loop."""
    job = Job(
        question, hits, load_mode(mode), settings or AnswerSettings(), question_id, on_text,
        answerable, context or AnswerContext(),
    )  # fmt: skip
    await _make_calls(job, Cast.of(mode, llm), asyncio.to_thread)
    return job.answer()


async def _make_calls(job: Job, cast: Cast, work: Callable[..., Awaitable[Any]]) -> None:
    """Make the calls of a job until none is left; `work` awaits what keeps a processor busy.

    Nothing is returned: asyncio writes out, at length, what its first task returns.
    """
    sizes = await cast.limits() if job.needs_llm else {}
    asked = await work(job.start, sizes)
    while asked is not None:
        if isinstance(asked, tuple):
            made = await exchange_all(asked, cast, job.settings.calls_at_once)
        else:
            made = [await exchange(asked, cast, job.listener(asked))]
            job.end_stream()  # here, since whoever listens may belong to this loop
        asked = await work(job.take, made)


async def _at_once(work: Callable[..., Any], *arguments: object) -> Any:
    """Work in the event loop, which nothing else needs."""
    return work(*arguments)
