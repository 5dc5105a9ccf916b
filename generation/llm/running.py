"""Run asynchronous work to its end, from any thread."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from types import FrameType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def blocking(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Return a function that does the same and waits for the result."""

    @wraps(work)
    def waited(*args: P.args, **kwargs: P.kwargs) -> T:
        return run(work(*args, **kwargs))

    return waited


def run(work: Coroutine[Any, Any, T]) -> T:
    """Return the result; below a running event loop, as in a notebook, another thread works."""
    try:
        return _run(work)
    finally:
        work.close()  # Python would warn of work that was interrupted before it began


def _run(work: Coroutine[Any, Any, T]) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with asyncio.Runner(loop_factory=new_loop) as runner:
            return runner.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def new_loop() -> asyncio.AbstractEventLoop:
    """Return a new event loop; Ctrl-C waits until it is complete.

    An event loop that is interrupted while it is made prints a traceback when it is deleted.
    """
    if threading.current_thread() is not threading.main_thread():
        return asyncio.new_event_loop()  # Python interrupts no other thread
    pressed: list[FrameType | None] = []
    handler = signal.signal(signal.SIGINT, lambda _, frame: pressed.append(frame))
    try:
        loop = asyncio.new_event_loop()
    finally:
        signal.signal(signal.SIGINT, handler)
    if pressed and callable(handler):
        try:
            handler(signal.SIGINT, pressed[0])
        except BaseException:
            loop.close()
            raise
    return loop
