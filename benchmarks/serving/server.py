"""A server in a process of its own, over a copy of an index."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

QUESTIONS = (
    "How soon must a material incident be notified?",
    "complaint final response",
    "What does COND 6.2.3 say?",
    "When is enhanced due diligence required?",
    "retention of records",
)


@dataclass(frozen=True, slots=True)
class Server:
    """A server that has answered `/readyz`."""

    address: str
    pid: int
    ready_s: float
    """Seconds from the command to the first good answer of `/readyz`."""

    def memory_mb(self) -> float:
        """Return its resident memory."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def running(self, kind: str) -> int:
        """Return how many pieces of a kind of work run or wait, as the metrics count them."""
        name = f'rirag_running{{kind="{kind}"}} '
        lines = httpx2.get(f"{self.address}/metrics", timeout=60).text.splitlines()
        return int(float(next(line for line in lines if line.startswith(name))[len(name) :]))


@contextmanager
def served(
    index: Path | str, data: Path, settings: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Serve an index until the block ends."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "rirag", "serve", "--port", "0", "--index", str(index)]
    process = subprocess.Popen(
        [*command, "--data", str(data)], env={**os.environ, **(settings or {})}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        while not _is_ready(address):
            time.sleep(0.01)
        yield Server(address, process.pid, time.perf_counter() - begun)
    finally:
        process.terminate()
        process.wait(60)


def _is_ready(address: str) -> bool:
    try:
        return httpx2.get(f"{address}/readyz", timeout=5).status_code == 200
    except httpx2.HTTPError:
        return False
