"""All that a running server keeps open, and what of it a caller may see."""

from __future__ import annotations

import asyncio
import threading
import tomllib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import prometheus_client

from rirag.server.access.caller import Gate, filters_of
from rirag.server.access.keys import KeysFile
from rirag.server.jobs.loading import ServiceLoader
from rirag.server.jobs.uploads import Uploads
from rirag.server.jobs.worker import Worker
from rirag.server.options import ServeOptions
from rirag.server.problems import refusal
from rirag.server.storage.answers import Answers, Feedback
from rirag.server.storage.audit import Audit
from rirag.server.storage.database import Database
from rirag.server.storage.jobs import Jobs
from rirag.server.work import Slots
from search.errors import RiragError

if TYPE_CHECKING:
    from rirag.service import Service
    from rirag.settings import Settings

SECONDS_BETWEEN_DELETIONS = 3600
LOOK_UPS = 4
"""Threads for what needs no search."""
MOST_LINE = 100_000
"""A line that is never full: what waits there takes milliseconds."""


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self._registry = prometheus_client.CollectorRegistry()
        table = tomllib.loads((files("rirag.server") / "metrics.toml").read_text("utf-8"))
        self._held: dict[str, Any] = {
            key: getattr(prometheus_client, one.pop("kind"))(
                one.pop("name"), one.pop("says"), one.pop("labels"), registry=self._registry, **one
            )
            for key, one in table.items()
        }

    def request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request that has ended; status 0: the client left before the response."""
        self._held["requests"].labels(method, path, str(status)).inc()
        self._held["seconds"].labels(path).observe(seconds)

    def answer(self, mode: str, outcome: str) -> None:
        """Count an answer by what became of it."""
        self._held["answers"].labels(mode, outcome).inc()

    def text(
        self, running: Mapping[str, int], jobs: Mapping[str, int], index: Mapping[str, int]
    ) -> bytes:
        """Return everything in the text format of Prometheus."""
        for gauge, values in (("running", running), ("jobs", jobs), ("index", index)):
            for name, value in values.items():
                self._held[gauge].labels(name).set(value)
        return prometheus_client.generate_latest(self._registry)


class ServerState:
    """What is open from start to shutdown."""

    def __init__(self, settings: Settings, options: ServeOptions) -> None:
        """Open nothing yet; `running` does."""
        options.check()
        self.settings = settings
        self.options = options
        limits = options.limits
        self.gate = Gate(None if options.keys is None else KeysFile(options.keys))
        self.metrics = Metrics()
        self.audit = Audit(options.audit)
        self.database = Database(options.data)
        self.answers = Answers(self.database)
        self.feedback = Feedback(self.database)
        self.jobs = Jobs(self.database)
        self.uploads = Uploads(options.data)
        line = limits.waiting, limits.waiting_seconds
        self.searching = Slots("searches", limits.searches, *line)
        self.answering = Slots("answers", limits.answers, *line)
        self.receiving = Slots("uploads", limits.uploads, *line)
        self.reading = Slots("look-ups", LOOK_UPS, MOST_LINE)
        self.storing = Slots("writes", 4, MOST_LINE)
        self.writing = threading.Lock()
        self.stopping = False
        self._service: Service | None = None
        loader = ServiceLoader(settings, self.service_for, self.uploads)
        self.worker = Worker(self.jobs, self.uploads, loader, self.writing)
        self._limited: dict[str, Service] = {}
        self._opening = threading.Lock()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the index, take up the jobs of an earlier run, and close everything in the end.

        An index that cannot be opened is looked for again with each request that needs it.
        """
        deleting = asyncio.create_task(self._delete_old())
        try:
            if not self.options.read_only:
                await asyncio.to_thread(self.worker.start)
            with suppress(RiragError):  # a first search loads what the next ones need
                await asyncio.to_thread(lambda: self.service().search("rule", k=1))
            yield
        finally:
            self.stopping = True
            deleting.cancel()
            await asyncio.to_thread(self.close)

    async def _delete_old(self) -> None:
        """Delete stored answers once they are as old as the options say."""
        while self.options.keep_days:
            with suppress(RiragError):  # a disk may be full for an hour
                await asyncio.to_thread(self.answers.delete_older, self.options.keep_days)
            await asyncio.sleep(SECONDS_BETWEEN_DELETIONS)

    def service(self) -> Service:
        """Return the service over the whole index."""
        with self._opening:
            if self._service is None:
                from rirag.service import Service

                self._service = Service.open(
                    self.settings, fresh_every_s=self.options.fresh_every_s
                )
        return self._service

    def service_for(self, bound: str) -> Service:
        """Return the service over what callers with these filters may see."""
        whole = self.service()
        if not bound:
            return whole
        with self._opening:
            if bound not in self._limited:
                from rirag.service import Service
                from search.limited import LimitedIndex

                index = LimitedIndex(whole.index, filters_of(bound))
                self._limited[bound] = Service(self.settings, index, whole.answering)
            return self._limited[bound]

    def one_at_a_time(self, name: str) -> asyncio.Lock:
        """Return the lock of a name, the same one as long as somebody holds it or waits."""
        return self._locks.setdefault(name, asyncio.Lock())

    def readiness(self) -> dict[str, Any]:
        """Return what is usable: index, models and job queue, each with a sentence where not."""
        checks: dict[str, Any] = {}
        try:
            described = self.service().describe()
        except RiragError as error:
            checks["index"] = {"ok": False, "detail": str(error)}
        else:
            problem = self.service().problem
            checks["index"] = {"ok": not problem, "detail": problem or described.generation}
        checks["models"] = {"ok": self._service is not None, "detail": ""}
        try:
            counts = self.jobs.counts()
            alive = self.options.read_only or self.worker.is_alive
            checks["jobs"] = {"ok": alive, "detail": "", "queued": counts["queued"]}
        except RiragError as error:
            checks["jobs"] = {"ok": False, "detail": str(error)}
        if self.gate.keys is not None:
            with suppress(RiragError):
                self.gate.keys.in_use()
            problem = self.gate.keys.problem and "the keys file is broken; the log has the reason"
            checks["keys"] = {"ok": not problem, "detail": problem}
        ready = all(one["ok"] for one in checks.values()) and not self.stopping
        return {"ready": ready, "stopping": self.stopping, "checks": checks}

    def logged(self, question: str) -> dict[str, str]:
        """Return what log and audit file hold of a question; nothing without `--log-questions`."""
        return {"question": question} if self.options.log_questions else {}

    def refuse_writes(self) -> None:
        """Refuse what changes the index where the server only reads."""
        if self.options.read_only:
            raise refusal("server.read-only")
        if self.stopping:
            raise refusal("server.stopping", again="try")

    def metrics_text(self) -> bytes:
        """Return the metrics as Prometheus reads them."""
        slots = (self.searching, self.answering, self.receiving, self.reading)
        running = {slot.name: slot.taken for slot in slots}
        index: dict[str, int] = {}
        if self._service is not None:
            described = asdict(self._service.describe())
            index = {name: described[name] for name in ("passages", "documents", "size_bytes")}
        return self.metrics.text(running, self.jobs.counts(), index)

    def close(self) -> None:
        """Stop the worker and close everything."""
        self.stopping = True
        self.worker.stop()
        for slots in (self.searching, self.answering, self.receiving, self.reading, self.storing):
            slots.close()
        if self._service is not None:
            self._service.close()
        self.database.close()
        self.audit.close()
