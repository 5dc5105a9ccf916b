"""An event loop of our own, in a thread, that outlives the loops of our callers.

Connections of an asynchronous client belong to one event loop. Callers come with several (each
`asyncio.run` makes one), and an engine is closed from synchronous code; so the connections live in
a loop that is ours, and callers only wait for what it finds.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class BackgroundLoop:
    """Runs coroutines for any event loop; safe to share between threads and loops."""

    def __init__(self, close: Callable[[], Awaitable[None]]) -> None:
        """Start the thread; `close` is awaited in the loop before it ends."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(self._loop,), daemon=True)
        self._thread.start()
        # Also for those who forget to close: a process shall not end with a complaint of aiohttp.
        self._end = weakref.finalize(self, _stop, self._loop, self._thread, close)

    async def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine here and wait for it in the caller's loop; cancelling reaches it."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def close(self) -> None:
        """End the thread; what still runs is cancelled."""
        self._end()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


def _stop(
    loop: asyncio.AbstractEventLoop,
    thread: threading.Thread,
    close: Callable[[], Awaitable[None]],
) -> None:
    async def finish() -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await close()
        loop.stop()

    asyncio.run_coroutine_threadsafe(finish(), loop)
    if threading.current_thread() is not thread:  # garbage may be collected in any thread
        thread.join()
