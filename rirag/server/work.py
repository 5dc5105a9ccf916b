"""Bounds on what runs at the same time: a few places, a fair line before them, then a refusal."""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import ParamSpec, TypeVar

from rirag.server.problems import Problem, busy

P = ParamSpec("P")
T = TypeVar("T")

RETRY_S = 2
"""When whoever was refused may try again, in seconds."""


class Slots:
    """Places for one kind of work, with threads of their own for what keeps a processor busy."""

    def __init__(self, name: str, places: int, waiting: int, wait_s: float | None = None) -> None:
        """Offer some places, and a line of at most `waiting` before them.

        Args:
            name: of the work.
            places: how many work at once.
            waiting: the longest line.
            wait_s: the longest time in the line, in seconds; None: as long as it takes.
        """
        self.name = name
        self.places = places
        self._waiting = waiting
        self._wait_s = wait_s
        self._working = 0
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=f"rirag-{name}")

    @property
    def taken(self) -> int:
        """How many work or wait."""
        return self._working + self._in_line

    @property
    def _in_line(self) -> int:
        return sum(map(len, self._lines.values()))

    @asynccontextmanager
    async def place(self, who: str = "") -> AsyncIterator[None]:
        """Take a place, or wait for it; those who wait take turns, however much each one asks.

        Raises:
            Problem: the line is full and nobody has more in it, or the wait was too long.
        """
        await self._enter(who)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, who: str) -> None:
        if self._working < self.places:
            self._working += 1
            return
        if self._in_line >= self._waiting:
            longest = max(self._lines.values(), key=len, default=deque[asyncio.Future[None]]())
            if len(longest) <= len(self._lines.get(who, ())) + 1:
                raise self._busy()
            longest.pop().set_exception(self._busy())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(who, deque()).append(turn)
        try:
            async with asyncio.timeout(self._wait_s):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._leave()  # the place came at the same moment
            line = self._lines.get(who, deque())
            if turn in line:
                line.remove(turn)
            if isinstance(error, TimeoutError):
                raise self._busy() from None
            raise
        finally:
            if not self._lines.get(who, True):
                del self._lines[who]

    def _leave(self) -> None:
        """Give the place to the next in turn."""
        while self._lines:
            who, line = next(iter(self._lines.items()))
            del self._lines[who]
            while line and line[0].done():
                line.popleft()
            if line:
                turn = line.popleft()
                if line:
                    self._lines[who] = line
                turn.set_result(None)
                return
        self._working -= 1

    def _busy(self) -> Problem:
        return busy(
            f"{self.places} {self.name} run and {self._in_line} wait already; try again soon.",
            seconds=RETRY_S,
        )

    async def run(self, who: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work in a thread once there is a place for it."""
        async with self.place(who):
            return await self.thread(work, *args, **kwargs)

    async def thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work in a thread, for one who has a place."""
        context = contextvars.copy_context()
        call = partial(context.run, partial(work, *args, **kwargs))
        running = asyncio.get_running_loop().run_in_executor(self._threads, call)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            # A thread cannot be stopped: its place is taken until it ends.
            if not running.done():
                await asyncio.wait([running])
            raise

    def close(self) -> None:
        """End the threads once their work is done."""
        self._threads.shutdown(wait=False, cancel_futures=True)
