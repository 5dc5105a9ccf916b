"""Searches a second with several callers at once, as threads and as asyncio tasks."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle, islice

from rirag_workbench.evaluation.retrieval.run import Latency
from search.index import Index


@dataclass(frozen=True, slots=True)
class Throughput:
    """What a number of callers got."""

    kind: str
    """`threads` or `asyncio`."""
    per_second: float
    latency: Latency
    """Milliseconds that one caller waited for one search."""


def with_threads(index: Index, questions: list[str], callers: int, searches: int) -> Throughput:
    """Share out searches among threads that ask one after another."""

    def ask(question: str) -> float:
        started = time.perf_counter()
        index.search(question)
        return time.perf_counter() - started

    asked = list(islice(cycle(questions), searches))
    with ThreadPoolExecutor(callers) as pool:
        list(pool.map(ask, asked[:callers]))  # threads open their connections once
        started = time.perf_counter()
        waits = list(pool.map(ask, asked))
        seconds = time.perf_counter() - started
    return _result("threads", waits, seconds)


def with_asyncio(index: Index, questions: list[str], callers: int, searches: int) -> Throughput:
    """Share out searches among tasks of one event loop."""
    asked = list(islice(cycle(questions), searches))
    waits, seconds = asyncio.run(_ask_all(index, asked, callers))
    return _result("asyncio", waits, seconds)


async def _ask_all(index: Index, asked: list[str], callers: int) -> tuple[list[float], float]:
    left = iter(asked)
    waits: list[float] = []

    async def caller() -> None:
        for question in left:  # one iterator for all callers
            started = time.perf_counter()
            await index.search_async(question)
            waits.append(time.perf_counter() - started)

    await asyncio.gather(*(index.search_async(question) for question in asked[:callers]))
    started = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    return waits, time.perf_counter() - started


def _result(kind: str, waits: list[float], seconds: float) -> Throughput:
    latency = Latency.of([wait * 1000 for wait in waits])
    return Throughput(kind, len(waits) / seconds, latency)
