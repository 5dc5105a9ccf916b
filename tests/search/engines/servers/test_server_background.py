"""Connections of asynchronous callers live in a loop of our own, whatever loop the callers have."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator

import pytest

from search.engines.servers.connection.background import BackgroundLoop

closed: list[int] = []


async def note_closing() -> None:
    closed.append(threading.get_ident())


@pytest.fixture
def loop() -> Iterator[BackgroundLoop]:
    closed.clear()
    loop = BackgroundLoop(note_closing)
    yield loop
    loop.close()


async def where() -> tuple[int, int]:
    return threading.get_ident(), id(asyncio.get_running_loop())


def test_callers_from_several_loops_and_threads_meet_in_one(loop: BackgroundLoop) -> None:
    seen = [asyncio.run(loop.run(where())) for _ in range(3)]
    thread = threading.Thread(target=lambda: seen.append(asyncio.run(loop.run(where()))))
    thread.start()
    thread.join()
    assert len(set(seen)) == 1
    assert seen[0][0] != threading.get_ident()


async def test_what_is_raised_there_is_raised_here(loop: BackgroundLoop) -> None:
    async def fail() -> None:
        raise LookupError("there")

    with pytest.raises(LookupError, match="there"):
        await loop.run(fail())


async def test_giving_up_reaches_the_work(loop: BackgroundLoop) -> None:
    given_up = threading.Event()
    begun = threading.Event()

    async def wait() -> None:
        begun.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            given_up.set()
            raise

    task = asyncio.create_task(loop.run(wait()))
    while not begun.is_set():
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert given_up.wait(10)


async def test_closing_within_a_running_loop_closes_what_is_there(loop: BackgroundLoop) -> None:
    thread, _ = await loop.run(where())
    loop.close()
    assert closed == [thread]
    assert thread not in {one.ident for one in threading.enumerate()}
    loop.close()
    assert closed == [thread]


def test_who_forgets_to_close_leaves_nothing_behind() -> None:
    closed.clear()
    loop = BackgroundLoop(note_closing)
    thread, _ = asyncio.run(loop.run(where()))
    del loop
    gc.collect()
    assert closed == [thread]
