"""Asynchronous work that is run to its end, or not at all."""

from __future__ import annotations

import asyncio
import gc

import pytest

from generation.llm.running import run


async def one() -> int:
    return 1


def test_work_runs_with_and_below_an_event_loop() -> None:
    async def outer() -> int:
        return run(one())

    assert run(one()) == asyncio.run(outer()) == 1


def test_work_that_is_interrupted_before_it_begins_leaves_no_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(asyncio, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(one())
    gc.collect()  # where a coroutine that never began would warn, which fails a test
