"""Time pieces of work side by side, so that a busy machine disturbs all of them alike."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from tqdm import tqdm

from rirag_workbench.evaluation.retrieval.run import Latency

T = TypeVar("T")

Milliseconds = dict[str, list[float]]
"""Name of a piece of work → its time for each item, in the order of the items."""


def interleaved(
    work: Mapping[str, Callable[[T], object]], items: Sequence[T], warm_up: int = 20
) -> Milliseconds:
    """Time each piece of work on each item, in an order drawn anew for every item.

    The order changes because what runs second finds the caches filled by what ran first.

    Args:
        work: what to time, by name.
        items: what to time it on.
        warm_up: how many items are run once before, untimed.
    """
    draw = random.Random(1)
    for item in items[:warm_up]:
        for piece in work.values():
            piece(item)
    times: Milliseconds = {name: [] for name in work}
    for item in tqdm(items, unit="question", leave=False):
        for name in draw.sample(list(work), len(work)):
            started = time.perf_counter()
            work[name](item)
            times[name].append((time.perf_counter() - started) * 1000)
    return times


def latencies(times: Mapping[str, Sequence[float]]) -> dict[str, Latency]:
    """Summarise the times of each piece of work."""
    return {name: Latency.of(values) for name, values in times.items()}


def summed(parts: Iterable[Sequence[float]]) -> list[float]:
    """Add up the times that belong to one item."""
    return [sum(times) for times in zip(*parts, strict=True)]
