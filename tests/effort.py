"""How much work a call does, told without a clock's help wherever that can be.

Machines are shared, and the collector of garbage looks through all that the tests before left
behind: a time says little about a call, and the ratio of two short times says less.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


def lines_run(call: Callable[[], object]) -> int:
    """Return how many lines of Python, calls and returns a call takes; the same every time."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@contextmanager
def no_runaway(seconds: float = 60) -> Iterator[None]:
    """Break off what goes on and on, for texts so long that only linear work comes to an end.

    This measures no speed: what passes takes a thirtieth of the processor time allowed or less,
    and what reads the text over and over again takes minutes to hours.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"still not done after {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
