"""Waits for what runs in an event loop."""

from __future__ import annotations

import asyncio
import contextlib

from scripted_modes import ScriptedLLM

LONGEST_WAIT_S = 30


async def until_running(llm: ScriptedLLM, count: int) -> None:
    """Wait until so many calls run; a model that is never asked is a TimeoutError."""
    async with asyncio.timeout(LONGEST_WAIT_S):
        while llm.running < count:
            await asyncio.sleep(0.001)


async def no_task_but(before: set[asyncio.Task[object]]) -> None:
    """Fail if a task stays; what the event loop itself still has to close ends by itself."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(10):
            while asyncio.all_tasks() != before:
                await asyncio.sleep(0.01)
    assert asyncio.all_tasks() == before
