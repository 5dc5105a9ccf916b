"""Streamed answers of a slow model: half of the clients leave, the others get the whole answer."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx2

from benchmarks.figures import Figure
from benchmarks.serving.server import QUESTIONS, served
from tests.rirag.server.slow_model import WORDS, SlowModel, slow_model

WORD_S = 0.1
LEFT, COMPLETE, OTHER = "left", "complete", "other"


def streams(index: Path, data: Path, count: int) -> list[Figure]:
    """Ask for streamed answers at once, and look at what still runs when they have ended."""
    with slow_model(WORD_S, WORDS * 3) as model:
        settings = {"RIRAG_LLM_URL": model.url, "RIRAG_LLM_MODEL": "m"}
        with served(index, data, settings) as server:
            outcomes = asyncio.run(_all(server.address, count))
            until = time.monotonic() + 10
            while _open(model, server.running("answers")) and time.monotonic() < until:
                time.sleep(0.1)
            still = _open(model, server.running("answers"))
    return [
        Figure("streams whose client left", outcomes.count(LEFT)),
        Figure("other streams that did not complete", outcomes.count(OTHER), target=0),
        Figure("streams that completed", outcomes.count(COMPLETE)),
        Figure("answers or calls of the model left after 10 s", still, target=0),
    ]


def _open(model: SlowModel, running: int) -> int:
    return model.writing + running


async def _all(address: str, count: int) -> list[str]:
    limits = httpx2.Limits(max_connections=count)
    async with httpx2.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        return await asyncio.gather(*(_one(client, number) for number in range(count)))


async def _one(client: httpx2.AsyncClient, number: int) -> str:
    body = {"question": f"{QUESTIONS[0]} ({number})", "mode": "rag", "stream": True}
    text = ""
    async with client.stream("POST", "/v1/ask", json=body) as response:
        async for piece in response.aiter_text():
            text += piece
            if number % 2 and "event: delta" in text:
                return LEFT
    return COMPLETE if "event: done" in text else OTHER
