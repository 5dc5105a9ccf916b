"""Time of a search on a server, beside the bare request that it cannot do without."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Any
from urllib.parse import urlencode

import urllib3

import search
from benchmarks.figures import Figure
from benchmarks.timing import interleaved
from rirag_workbench.evaluation.retrieval.run import Latency
from search.engines.protocol import RetrievalRequest
from search.engines.servers import ServerAddress, ServerOptions
from search.engines.servers.connection import connect
from search.engines.servers.connection.client import MULTI_SEARCH, NOT_READ, Body, Client, to_json
from search.engines.servers.generations import resolve
from search.engines.servers.searching.retrievers import Retrievers

MOST_TIMES_THE_REQUEST = 1.3


def request_figures(index: search.Index, questions: Sequence[str]) -> list[Figure]:
    """Compare searches, less the encoding of the question, with the same `_msearch` sent bare.

    The bare request is sent ready-made over one open connection; its answer is read and not parsed.
    The question is encoded before it, untimed, as a search does: what that leaves in the
    processor's caches and the server's pauses between requests are then alike.
    """
    bodies = _bodies(index, questions)
    pool = urllib3.connection_from_url(ServerAddress.parse(index.url).node)
    target = f"{MULTI_SEARCH}?{urlencode({'filter_path': NOT_READ})}"
    encoder = index.pipeline.encoder
    encoding: dict[str, float] = {}
    alone: dict[str, float] = {}
    answers: dict[str, bytes] = {}

    def whole(question: str) -> None:
        encoding[question] = index.search(question, rerank=False).trace.milliseconds["encode"]

    def bare(question: str) -> None:
        encoder.encode_questions([question])
        started = time.perf_counter()
        answer = pool.request(
            "POST", target, body=bodies[question],
            headers={"content-type": "application/x-ndjson"},
        )  # fmt: skip
        alone[question] = (time.perf_counter() - started) * 1000
        answers[question] = answer.data

    times = interleaved({"whole": whole, "bare": bare}, list(questions))
    server = [json.loads(answers[question])["took"] for question in questions]
    rest = [
        milliseconds - encoding[question]
        for question, milliseconds in zip(questions, times["whole"], strict=True)
    ]
    search_p50, bare_p50 = Latency.of(rest).p50, Latency.of(list(alone.values())).p50
    return [
        Figure("search less query encoding, p50", search_p50, "ms"),
        Figure("  p95", Latency.of(rest).p95, "ms"),
        Figure("the same _msearch, bare, p50", bare_p50, "ms"),
        Figure("  of it in the server", Latency.of(server).p50, "ms"),
        Figure("search / bare request", search_p50 / bare_p50, "×", MOST_TIMES_THE_REQUEST),
    ]


def _bodies(index: search.Index, questions: Sequence[str]) -> dict[str, bytes]:
    """Return the `_msearch` that the engine sends for each question."""
    with closing(connect(index.url, ServerOptions.from_environment())) as client:
        retrievers = Retrievers(client, resolve(client), {}, lambda _: None)
    profile = index.pipeline.profile("default")
    requests = {q: index.pipeline.prepare(q, profile, None).request for q in questions}
    return {
        question: to_json(_asked(client, retrievers, request)).encode()
        for question, request in requests.items()
    }


class _HeardError(Exception):
    """Ends a search once it is known what it asks."""


def _asked(client: Client, retrievers: Retrievers, request: RetrievalRequest) -> list[Body]:
    """Return the lines of the first request."""
    heard: list[Body] = []

    def hear(lines: Sequence[Body]) -> list[dict[str, Any]]:
        heard.extend(lines)
        raise _HeardError

    client.multi_search = hear  # type: ignore[method-assign]
    with suppress(_HeardError):
        retrievers.run(request)
    return heard
