"""Bounds on what runs at the same time: a few places, a fair line before them, then a refusal."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

from rirag.server.problems import Problem, busy

P = ParamSpec("P")
T = TypeVar("T")

RETRY_S = 2
"""When whoever was refused may try again, in seconds."""


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """Somebody in line: whoever has several in it gets a later turn for each."""

    who: str
    turn: int
    place: asyncio.Future[None]


class Slots:
    """Places for one kind of work, with threads of their own for what keeps a processor busy."""

    def __init__(self, name: str, places: int, waiting: int, wait_s: float | None = None) -> None:
        """Offer some places, and a line of at most `waiting` before them, each for `wait_s`."""
        self.name = name
        self.places = places
        self._waiting = waiting
        self._wait_s = wait_s
        self._working = 0
        self._line: list[_Waiting] = []
        self._turn = 0
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=f"rirag-{name}")

    @property
    def taken(self) -> int:
        """How many work or wait."""
        return self._working + len(self._line)

    @asynccontextmanager
    async def place(self, who: str = "") -> AsyncIterator[None]:
        """Take a place, or wait for it; those who wait take turns, however much each one asks."""
        await self._enter(who)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, who: str) -> None:
        if self._working < self.places:
            self._working += 1
            return
        turn = max([self._turn, *(one.turn + 1 for one in self._line if one.who == who)])
        if len(self._line) >= self._waiting:
            last = max(self._line, key=lambda one: one.turn, default=None)
            if last is None or last.turn <= turn:
                raise self._busy()
            self._line.remove(last)
            last.place.set_exception(self._busy())
        mine = _Waiting(who, turn, asyncio.get_running_loop().create_future())
        self._line.append(mine)
        try:
            async with asyncio.timeout(self._wait_s):
                await mine.place
        except BaseException as error:
            if mine in self._line:
                self._line.remove(mine)
            elif not mine.place.cancelled() and mine.place.exception() is None:
                self._leave()  # the place came at the same moment
            if isinstance(error, TimeoutError):
                raise self._busy() from None
            raise

    def _leave(self) -> None:
        """Give the place to the next in turn."""
        waiting = [one for one in self._line if not one.place.done()]
        if not waiting:
            self._working -= 1
            return
        first = min(waiting, key=lambda one: one.turn)
        self._line.remove(first)
        self._turn = first.turn
        first.place.set_result(None)

    def _busy(self) -> Problem:
        return busy(
            "limit.busy", RETRY_S, places=self.places, work=self.name, waiting=len(self._line)
        )

    async def run(self, who: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work in a thread once there is a place for it."""
        call = partial(contextvars.copy_context().run, partial(work, *args, **kwargs))
        async with self.place(who):
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
