"""What the server costs: start, one caller, a crowd, the weight of a page.

python -m benchmarks.serving [--index INDEX] [--searches N] [--callers N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
from tqdm import tqdm

QUESTIONS = (
    "How soon must a material incident be notified?",
    "complaint final response",
    "What does COND 6.2.3 say?",
    "When is enhanced due diligence required?",
    "retention of records",
)
ONE_CALLER = 200
PAGES = ("/", "/search?q=complaint", f"/ask?q={QUESTIONS[0]}", "/documents", "/docs")


def started(index: str, folder: Path) -> tuple[subprocess.Popen[str], str, float]:
    """Start a server; return it, its address, and the seconds until it was ready."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "rirag", "serve", "--port", "0", "--index", index]
    process = subprocess.Popen(
        [*command, "--data", str(folder / "data")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    while True:
        try:
            if httpx2.get(f"{address}/readyz", timeout=5).status_code == 200:
                return process, address, time.perf_counter() - begun
        except httpx2.HTTPError:
            time.sleep(0.01)


def one_caller(address: str, index: str) -> dict[str, float]:
    """Return the median milliseconds of a search by the library, and over HTTP."""
    from rirag.service import Query, Service
    from rirag.service.json_forms import search_to_json
    from rirag.settings import Settings

    own, over_http = [], []
    with (
        Service.open(Settings(index=index)) as service,
        httpx2.Client(base_url=address, timeout=60) as client,
    ):
        for number in range(ONE_CALLER):
            question = QUESTIONS[number % len(QUESTIONS)]
            begun = time.perf_counter()
            json.dumps(search_to_json(service.search(Query(question, k=10))))
            own.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            client.post("/v1/search", json={"question": question}).raise_for_status()
            over_http.append(time.perf_counter() - begun)
    medians = statistics.median(own) * 1000, statistics.median(over_http) * 1000
    return {"library": medians[0], "http": medians[1], "more": medians[1] - medians[0]}


async def crowd(address: str, callers: int, searches: int) -> dict[str, Any]:
    """Return what came of searches by many callers, who try again after a 429."""
    statuses: Counter[int] = Counter()
    times: list[float] = []
    answers: dict[str, set[str]] = {}
    left = iter(range(searches))
    bar = tqdm(total=searches, unit=" searches")

    async def call(client: httpx2.AsyncClient) -> None:
        for number in left:
            question = QUESTIONS[number % len(QUESTIONS)]
            while True:
                begun = time.perf_counter()
                response = await client.post("/v1/search", json={"question": question})
                statuses[response.status_code] += 1
                if response.status_code != 429:
                    break
                await asyncio.sleep(0.05)
            times.append(time.perf_counter() - begun)
            ids = [hit["id"] for hit in response.json()["hits"]]
            answers.setdefault(question, set()).add(json.dumps(ids))
            bar.update()

    limits = httpx2.Limits(max_connections=callers)
    begun = time.perf_counter()
    async with httpx2.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
        await asyncio.gather(*(call(client) for _ in range(callers)))
    seconds = time.perf_counter() - begun
    bar.close()
    times.sort()
    return {
        "statuses": dict(statuses),
        "searches a second": searches / seconds,
        "p50 ms": times[len(times) // 2] * 1000,
        "p99 ms": times[int(len(times) * 0.99)] * 1000,
        "different answers to one question": max(len(found) for found in answers.values()),
    }


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", default="build/demo-index")
    parser.add_argument("--searches", type=int, default=20_000)
    parser.add_argument("--callers", type=int, default=64)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):  # the first start writes byte code
            process, address, seconds = started(options.index, Path(folder))
            try:
                if _ == 0:
                    continue
                print(f"ready after {seconds:.1f} s")
                alone = one_caller(address, options.index)
                print("one caller, p50 ms:", {name: round(ms, 2) for name, ms in alone.items()})
                for path in PAGES:
                    size = len(httpx2.get(address + path, timeout=60).content)
                    print(f"{size:8,} bytes  {path}")
                before = memory_mb(process.pid)
                found = asyncio.run(crowd(address, options.callers, options.searches))
                print(json.dumps(found, indent=1))
                print(f"memory: {before:.0f} MB before, {memory_mb(process.pid):.0f} MB after")
            finally:
                process.terminate()
                process.wait()


if __name__ == "__main__":
    main()
