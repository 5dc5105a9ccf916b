"""Bounds on what runs at the same time: a few places, a short line before them, then a refusal."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import ParamSpec, TypeVar

from rirag.server.problems import busy

P = ParamSpec("P")
T = TypeVar("T")


class Slots:
    """Places for one kind of work, with threads of their own for what keeps a processor busy."""

    def __init__(self, name: str, places: int, waiting: int) -> None:
        """Offer some places, and a line of at most `waiting` before them."""
        self.name = name
        self.places = places
        self._waiting = waiting
        self._taken = 0
        self._free = asyncio.Semaphore(places)
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=f"rirag-{name}")

    @property
    def taken(self) -> int:
        """How many work or wait."""
        return self._taken

    @asynccontextmanager
    async def place(self, *, waits: bool = True) -> AsyncIterator[None]:
        """Take a place, or wait in the line for it.

        Raises:
            Problem: the line is full, or no place is free and the caller does not wait.
        """
        waiting = self._waiting if waits else 0
        if self._taken >= self.places + waiting:
            already = f" and {waiting} wait" if waiting else ""
            raise busy(f"{self.places} {self.name} run{already} already; try again soon.")
        self._taken += 1
        try:
            async with self._free:
                yield
        finally:
            self._taken -= 1

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work in a thread once there is a place for it."""
        async with self.place():
            return await self.thread(work, *args, **kwargs)

    async def run_at_once(self, work: Callable[[], T]) -> T:
        """Run work in a thread if a place is free now: a program tries again, a person waits."""
        async with self.place(waits=False):
            return await self.thread(work)

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
