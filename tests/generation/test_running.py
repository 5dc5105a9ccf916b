"""Asynchronous work that is run to its end, or not at all."""

from __future__ import annotations

import asyncio
import gc
import signal

import pytest

from generation.llm.running import run


async def one() -> int:
    return 1


def test_work_runs_with_and_below_an_event_loop() -> None:
    async def outer() -> int:
        return run(one())

    assert run(one()) == asyncio.run(outer()) == 1


def test_ctrl_c_while_the_event_loop_is_made_waits_until_it_is_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make, made = asyncio.new_event_loop, []

    def interrupted() -> asyncio.AbstractEventLoop:
        signal.raise_signal(signal.SIGINT)
        made.append(make())
        return made[0]

    monkeypatch.setattr(asyncio, "new_event_loop", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(one())
    assert made[0].is_closed()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    gc.collect()  # where a coroutine that never began would warn, which fails a test
