"""Timing side by side, processes of their own, and memory that is only theirs."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from benchmarks.child import JobError, run
from benchmarks.memory_use import memory_use
from benchmarks.timing import interleaved, summed


def test_every_piece_of_work_is_timed_once_an_item_after_the_warm_up() -> None:
    calls: Counter[tuple[str, int]] = Counter()
    times = interleaved(
        {name: lambda item, name=name: calls.update([(name, item)]) for name in "ab"},
        [1, 2, 3],
        warm_up=1,
    )
    assert calls == {("a", 1): 2, ("b", 1): 2, ("a", 2): 1, ("b", 2): 1, ("a", 3): 1, ("b", 3): 1}
    assert {name: len(values) for name, values in times.items()} == {"a": 3, "b": 3}


def test_no_piece_of_work_is_always_first() -> None:
    order: list[str] = []
    interleaved({name: lambda _, name=name: order.append(name) for name in "ab"}, range(20), 0)
    assert set(order[::2]) == {"a", "b"}


def test_times_are_milliseconds() -> None:
    (slept,) = interleaved({"sleep": lambda _: time.sleep(0.02)}, [0], warm_up=0)["sleep"]
    assert 20 <= slept < 1000


def test_parts_are_added_up_item_by_item() -> None:
    assert summed([[1.0, 2.0], [10.0, 20.0]]) == [11.0, 22.0]


def test_a_process_is_timed_by_the_clock_and_by_the_processor() -> None:
    slept = run("-c", "import time; time.sleep(1.5); print('done')")
    assert slept.output == "done\n"
    assert slept.seconds >= 1.5
    assert slept.cpu_seconds < slept.seconds / 2
    busy = run("-c", "import time\nwhile time.process_time() < 0.4: pass")
    assert busy.cpu_seconds >= 0.3  # some kernels count in ticks of a hundredth of a second


def test_a_process_gets_the_environment_asked_for() -> None:
    code = "import os; print(os.environ['RIRAG_TEST_VARIABLE'], 'PATH' in os.environ)"
    assert run("-c", code, environment={"RIRAG_TEST_VARIABLE": "x"}).output == "x True\n"


def test_a_process_that_fails_is_named_with_its_exit_code() -> None:
    with pytest.raises(JobError, match="exit code 7"):
        run("-c", "raise SystemExit(7)")


def test_memory_of_a_process_is_not_that_of_the_one_that_started_it() -> None:
    ballast = b"x" * (200 * 2**20)
    code = "from benchmarks.memory_use import memory_use; print(memory_use().peak)"
    assert float(run("-c", code).output) < 100 < len(ballast) / 2**20
    assert memory_use().peak > 200
