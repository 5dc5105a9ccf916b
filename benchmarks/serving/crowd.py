"""Many callers search while documents are uploaded, deleted, and the index goes back a state."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from tqdm import tqdm

from benchmarks.figures import Figure
from benchmarks.serving.server import QUESTIONS, Server
from rirag.service import Query, Service
from rirag.service.json_forms import search_to_json
from rirag.settings import Settings

MOST_GROWTH = 1.1
MOST_P99 = 5.0

Place = tuple[str, str]
"""State of the index and question."""


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
    writer = Writer(server, index)
    thread = threading.Thread(target=writer.run)
    thread.start()
    try:
        seen = asyncio.run(_search(server, callers, searches))
    finally:
        writer.ended.set()
        thread.join()
    if writer.failed is not None:
        raise writer.failed
    wrong = [
        place for place, found in seen.answers.items() if found - writer.right.get(place, set())
    ]
    errors = sum(count for status, count in seen.statuses.items() if status not in (200, 429))
    seen.seconds.sort()
    p99 = seen.seconds[int(len(seen.seconds) * 0.99)] * 1000
    half, end = seen.memory_mb[len(seen.memory_mb) // 2], seen.memory_mb[-1]
    return [
        Figure("searches answered", seen.statuses[200]),
        Figure("refused with 429 and tried again", seen.statuses[429]),
        Figure("other errors", errors, target=0),
        Figure("changes of the index meanwhile", writer.changes),
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
                place, shown = _shown(response.json())
                seen.answers[place].add(shown)

    limits = httpx2.Limits(max_connections=callers)
    async with httpx2.AsyncClient(base_url=server.address, timeout=120, limits=limits) as client:
        await asyncio.gather(*(call(client) for _ in range(callers)))
    bar.close()
    return seen


def _shown(body: Mapping[str, Any]) -> tuple[Place, str]:
    """Return the state and question of an answer, and its hits with scores as one text."""
    hits = [(hit["id"], round(hit["score"], 5)) for hit in body["hits"]]
    return (body["plan"]["generation"], body["question"]), json.dumps(hits)


class Writer:
    """Changes the index until it is told to end, and notes what each state answers."""

    def __init__(self, server: Server, index: Path) -> None:
        self.ended = threading.Event()
        self.changes = 0
        self.right: dict[Place, set[str]] = defaultdict(set)
        self.failed: Exception | None = None
        self._server = server
        self._settings = Settings(index=str(index))
        self._current = index / "CURRENT"

    def run(self) -> None:
        """Upload, then delete or go back, again and again."""
        try:
            with (
                Service.open(self._settings) as service,
                httpx2.Client(base_url=self._server.address, timeout=120) as client,
            ):
                self._note(service)
                while not self.ended.is_set():
                    before = self._current.read_text(encoding="utf-8")
                    self._upload(client, self.changes)
                    self._note(service)
                    if self.changes % 3:
                        _done(client.delete(f"/v1/documents/NEW{self.changes}"))
                    else:
                        self._go_back(before)
                    self._note(service)
                    self.changes += 1
        except Exception as error:
            self.failed = error

    def _go_back(self, state: str) -> None:
        """Make an earlier state the current one, as whoever runs the server may do."""
        partial = self._current.with_name("CURRENT.new")
        partial.write_text(state, encoding="utf-8")
        partial.replace(self._current)

    def _note(self, service: Service) -> None:
        service.refresh()
        for question in QUESTIONS:
            body = json.loads(json.dumps(search_to_json(service.search(Query(question, k=10)))))
            place, shown = _shown(body)
            self.right[place].add(shown)

    def _upload(self, client: httpx2.Client, number: int) -> None:
        text = (
            f"---\ndocument_id: NEW{number}\ntitle: New Rules {number}\n---\n"
            f"1\tINCIDENTS\n1.1\tA material incident must be notified within {number} hours.\n"
            "1.2\tA complaint must have a final response; its records must be retained.\n"
        )
        sent = _done(client.post("/v1/documents", files={"file": ("new.txt", text.encode())}))
        while True:
            job = client.get(sent.json()["status_url"]).json()
            if job["state"] not in ("queued", "running"):
                assert job["state"] == "done", job
                return
            time.sleep(0.1)


def _done(response: httpx2.Response) -> httpx2.Response:
    assert response.status_code in (202, 204), response.text
    return response
