"""What the server counts and times, for Prometheus."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "rirag_requests_total", "Requests by address and status.",
            ("method", "path", "status"), registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "rirag_request_seconds", "Duration of requests, including whole streams.",
            ("path",), registry=self._registry,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
        )  # fmt: skip
        self._answers = Counter(
            "rirag_answers_total", "Answers by mode and outcome.", ("mode", "outcome"),
            registry=self._registry,
        )  # fmt: skip
        self._running = Gauge(
            "rirag_running",
            "Work that is running or waiting, by kind.",
            ("kind",),
            registry=self._registry,
        )
        self._jobs = Gauge("rirag_jobs", "Jobs by state.", ("state",), registry=self._registry)
        self._index = Gauge(
            "rirag_index", "Contents of the index.", ("what",), registry=self._registry
        )

    def request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request that has ended; status 0: the client left before the response."""
        self._requests.labels(method, path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def answer(self, mode: str, outcome: str) -> None:
        """Count an answer by what became of it."""
        self._answers.labels(mode, outcome).inc()

    def text(
        self, running: Mapping[str, int], jobs: Mapping[str, int], index: Mapping[str, int]
    ) -> bytes:
        """Return everything in the text format of Prometheus."""
        for gauge, values in ((self._running, running), (self._jobs, jobs), (self._index, index)):
            for name, value in values.items():
                gauge.labels(name).set(value)
        return generate_latest(self._registry)
