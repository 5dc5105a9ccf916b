"""A language model that takes a bounded number of calls at a time, for many askers at once."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager

from generation.llm.protocol import LLM, Completion, Limits, OnText, Prompt
from search.errors import LLMError
from search.messages.arguments import whole_number

AT_ONCE = 8
"""Calls at a time. Servers of one GPU batch about as many before each becomes slower."""

WAITING = 64
"""Calls that may wait for a place: at 8 places and 10 seconds a reply, the last waits 80 seconds,
longer than people do."""


class BoundedLLM:
    """An `LLM` that limits the concurrent and waiting calls of another one.

    Calls are let in in the order in which they came, from threads and event loops alike. One that
    finds too many waiting is refused at once, so that a crowd does not become a queue without end.
    A call that is cancelled gives its place back, while it waits and while it runs.
    """

    def __init__(self, llm: LLM, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        """Bound a model.

        Args:
            llm: the model.
            at_once: most calls that run at a time, at least 1.
            waiting: most calls that wait, at least 0.

        Raises:
            InputError: a bound is too small.
        """
        at_once = whole_number(at_once, "The number of concurrent calls of a language model", 1)
        waiting = whole_number(waiting, "The number of waiting calls of a language model", 0)
        self._llm = llm
        self._places = _Places(at_once, waiting)

    async def limits_async(self) -> Limits:
        """Return how much the model takes."""
        return await self._llm.limits_async()

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """Return the reply, once there is a place; see `LLM.complete_async`."""
        async with self._places.taken():
            return await self._llm.complete_async(prompt, on_text)


class _Places:
    """Places that are given out in the order in which they are asked for."""

    def __init__(self, count: int, waiting: int) -> None:
        self._free = count
        self._longest = waiting
        self._queue: deque[Future[None]] = deque()
        self._lock = threading.Lock()

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        turn = self._ask()
        try:
            await asyncio.wrap_future(turn)
        except BaseException:
            self._withdraw(turn)
            raise
        try:
            yield
        finally:
            self._give_back()

    def _ask(self) -> Future[None]:
        """Return what is done when there is a place."""
        turn: Future[None] = Future()
        with self._lock:
            if self._free:
                self._free -= 1
                turn.set_result(None)
            elif len(self._queue) < self._longest:
                self._queue.append(turn)
            else:
                raise LLMError(
                    f"The language model is busy: {self._longest} calls are already "
                    "waiting for it; ask again in a minute."
                )
        return turn

    def _withdraw(self, turn: Future[None]) -> None:
        """Leave the queue; a place that was given in the same moment goes to the next."""
        with self._lock:
            if turn in self._queue:
                self._queue.remove(turn)
                return
        if not turn.cancelled():
            self._give_back()

    def _give_back(self) -> None:
        with self._lock:
            while self._queue:
                turn = self._queue.popleft()
                if turn.set_running_or_notify_cancel():
                    turn.set_result(None)
                    return
            self._free += 1
