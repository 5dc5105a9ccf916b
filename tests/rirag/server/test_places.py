"""Places for work: who waits for one, and who is refused at once."""

from __future__ import annotations

import asyncio
import threading

import pytest

from rirag.server.problems import Problem
from rirag.server.work import Slots


def test_a_program_is_refused_at_once_where_a_page_waits() -> None:
    slots = Slots("searches", places=1, waiting=1)

    async def crowd() -> None:
        ends = threading.Event()
        first = asyncio.create_task(slots.run(ends.wait))
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="1 searches run already") as refused:
            await slots.run_at_once(lambda: "program")
        assert refused.value.code == "limit.busy"
        page = asyncio.create_task(slots.run(lambda: "page"))
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="and 1 wait already"):
            await slots.run(lambda: "one too many")
        ends.set()
        assert await first
        assert await page == "page"
        assert await slots.run_at_once(lambda: "program") == "program"

    try:
        asyncio.run(crowd())
    finally:
        slots.close()
