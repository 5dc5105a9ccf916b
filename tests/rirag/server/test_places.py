"""Places for work: who waits for one, in which order, and who is refused."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from rirag.server.problems import Problem
from rirag.server.work import Slots


def in_a_crowd(crowd: Callable[[Slots, threading.Event], Awaitable[None]], **how: float) -> None:
    """Run a crowd while one of its own holds the only place until the event."""

    async def whole() -> None:
        slots, ends = Slots("searches", places=1, **how), threading.Event()  # type: ignore[arg-type]
        first = asyncio.create_task(slots.run("first", ends.wait))
        await asyncio.sleep(0)
        try:
            await crowd(slots, ends)
        finally:
            ends.set()
            await first
            assert slots.taken == 0
            slots.close()

    asyncio.run(whole())


def test_those_who_ask_most_wait_for_their_turn() -> None:
    async def crowd(slots: Slots, ends: threading.Event) -> None:
        done: list[str] = []
        asked = ["program"] * 5 + ["anna", "ben"]
        tasks = [asyncio.create_task(slots.run(who, done.append, who)) for who in asked]
        await asyncio.sleep(0)
        ends.set()
        await asyncio.gather(*tasks)
        assert done == ["program", "anna", "ben", *["program"] * 4]

    in_a_crowd(crowd, waiting=10)


def test_a_full_line_makes_room_for_who_has_least_in_it() -> None:
    async def crowd(slots: Slots, ends: threading.Event) -> None:
        tasks = [asyncio.create_task(slots.run("program", str)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="1 searches run and 3 wait already") as refused:
            await slots.run("program", str)
        assert (refused.value.code, refused.value.status_code) == ("limit.busy", 429)
        anna = asyncio.create_task(slots.run("anna", lambda: "found"))
        await asyncio.sleep(0)
        ends.set()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in found] == [str, str, Problem]
        assert await anna == "found"

    in_a_crowd(crowd, waiting=3)


def test_nobody_waits_longer_than_the_limit() -> None:
    async def crowd(slots: Slots, ends: threading.Event) -> None:
        with pytest.raises(Problem) as refused:
            await slots.run("anna", str)
        assert refused.value.headers == {"Retry-After": "2"}
        leaver = asyncio.create_task(slots.run("anna", str))
        await asyncio.sleep(0)
        leaver.cancel()
        await asyncio.gather(leaver, return_exceptions=True)
        assert slots.taken == 1

    in_a_crowd(crowd, waiting=3, wait_s=0.05)
