"""Makes the calls that a mode wants: one after the other, or several at once, bounded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from generation.llm.calls import Ask
from generation.llm.protocol import LLM, Completion, OnText
from generation.llm.roles import Cast, called, told
from search.errors import LLMError


@dataclass(frozen=True, slots=True)
class Exchange:
    """A call that was made, and what came of it."""

    ask: Ask
    reply: Completion | LLMError
    seconds: float


class Heard:
    """Whoever listens to a reply; keeps an error of theirs apart from those of the model."""

    def __init__(self, hear: OnText) -> None:
        self._hear = hear
        self.error: Exception | None = None

    def __call__(self, text: str) -> None:
        """Pass a piece on."""
        try:
            self._hear(text)
        except Exception as error:
            self.error = error
            raise


async def exchange(ask: Ask, cast: Cast, on_text: OnText | None = None) -> Exchange:
    """Make one call; a failure is part of the result, but for one of whoever listens."""
    llm, started = cast.play(ask.model), time.perf_counter()
    heard = Heard(on_text) if on_text else None
    reply: Completion | LLMError
    try:
        with told(llm):
            reply = _checked(llm, await llm.complete_async(ask.prompt, heard))
    except LLMError as error:
        reply = error
    seconds = time.perf_counter() - started
    if heard is not None and heard.error is not None:
        raise heard.error
    timed = reply if isinstance(reply, LLMError) else replace(reply, seconds=seconds)
    return Exchange(ask, timed, seconds)


async def exchange_all(asks: Sequence[Ask], cast: Cast, at_once: int) -> list[Exchange]:
    """Make several calls, at most `at_once` at a time; results in the order asked.

    When the task is cancelled, every call is, and none is left behind. An error that is no
    `LLMError` cancels the other calls, and is raised.
    """
    free = asyncio.Semaphore(at_once)

    async def one(ask: Ask) -> Exchange:
        async with free:
            return await exchange(ask, cast)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(ask)) for ask in asks]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return [task.result() for task in tasks]


def _checked(llm: LLM, reply: Completion) -> Completion:
    if not isinstance(reply, Completion) or not isinstance(reply.text, str):
        raise LLMError(
            f"{called(llm)} must reply with a generation.Completion that has a text, not "
            f"{reply!r:.80}"
        )
    return reply
