"""Many callers search while documents are uploaded, deleted, and the index goes back a state."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import Manager, get_context
from pathlib import Path

import httpx2
from tqdm import tqdm

from benchmarks.figures import Figure
from benchmarks.serving.server import QUESTIONS, Server
from benchmarks.serving.writer import Place, shown, write

MOST_GROWTH = 1.1
MOST_P99 = 5.0


@dataclass
class Seen:
    """What the callers got."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    answers: dict[Place, set[str]] = field(default_factory=lambda: defaultdict(set))
    memory_mb: list[float] = field(default_factory=list)


def crowd(server: Server, index: Path, callers: int, searches: int) -> list[Figure]:
    """Search and change the index at the same time; compare each answer with that of its state."""
    alone = _alone(server)
    # A process of its own, so that it does not keep the callers waiting.
    with ProcessPoolExecutor(1, get_context("spawn")) as processes, Manager() as manager:
        ended = manager.Event()
        writing = processes.submit(write, server.address, index, ended)
        try:
            seen = asyncio.run(_search(server, callers, searches))
        finally:
            ended.set()
        changes, right = writing.result()
    wrong = [place for place, found in seen.answers.items() if found - right.get(place, set())]
    errors = sum(count for status, count in seen.statuses.items() if status not in (200, 429))
    seen.seconds.sort()
    p99 = seen.seconds[int(len(seen.seconds) * 0.99)] * 1000
    half, end = seen.memory_mb[len(seen.memory_mb) // 2], seen.memory_mb[-1]
    return [
        Figure("searches answered", seen.statuses[200]),
        Figure("refused with 429 and tried again", seen.statuses[429]),
        Figure("other errors", errors, target=0),
        Figure("changes of the index meanwhile", changes),
        Figure("states of the index that answered", len({state for state, _ in seen.answers})),
        Figure("answers that are none of their state", len(wrong), target=0),
        Figure("p50 of one caller", alone, "ms"),
        Figure("p50 of the crowd", seen.seconds[len(seen.seconds) // 2] * 1000, "ms"),
        Figure("p99 of the crowd", p99, "ms"),
        Figure("p99 of the crowd / p50 of one caller", p99 / alone, "×", MOST_P99),
        Figure("memory at half", half, "MB"),
        Figure("memory at the end / at half", end / half, "×", MOST_GROWTH),
    ]


def _alone(server: Server) -> float:
    times = []
    with httpx2.Client(base_url=server.address, timeout=60) as client:
        for number in range(50):
            begun = time.perf_counter()
            client.post("/v1/search", json={"question": QUESTIONS[number % len(QUESTIONS)]})
            times.append(time.perf_counter() - begun)
    return sorted(times)[25] * 1000


async def _search(server: Server, callers: int, searches: int) -> Seen:
    seen = Seen()
    left = iter(range(searches))
    source = random.Random(34)
    bar = tqdm(total=searches, unit=" searches")

    async def call(client: httpx2.AsyncClient) -> None:
        for number in left:
            question = QUESTIONS[number % len(QUESTIONS)]
            while True:
                begun = time.perf_counter()
                response = await client.post("/v1/search", json={"question": question})
                seen.statuses[response.status_code] += 1
                if response.status_code != 429:
                    break
                await asyncio.sleep(source.uniform(0.5, 1.5) * int(response.headers["retry-after"]))
            bar.update()
            if number % max(1, searches // 50) == 0:
                seen.memory_mb.append(server.memory_mb())
            if response.status_code == 200:
                seen.seconds.append(time.perf_counter() - begun)
                place, text = shown(response.json())
                seen.answers[place].add(text)

    limits = httpx2.Limits(max_connections=callers)
    async with httpx2.AsyncClient(base_url=server.address, timeout=120, limits=limits) as client:
        await asyncio.gather(*(call(client) for _ in range(callers)))
    bar.close()
    return seen
