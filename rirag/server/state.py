"""All that a running server keeps open, and what of it a caller may see."""

from __future__ import annotations

import asyncio
import threading
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from rirag.server.access.caller import Caller, Gate, filters_of
from rirag.server.access.keys import KeysFile
from rirag.server.audit import Audit
from rirag.server.jobs.loading import ServiceLoader
from rirag.server.jobs.uploads import Uploads
from rirag.server.jobs.worker import Worker
from rirag.server.metrics import Metrics
from rirag.server.options import ServeOptions
from rirag.server.problems import Problem
from rirag.server.storage.answers import Answers
from rirag.server.storage.database import Database
from rirag.server.storage.feedback import Feedback
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


class ServerState:
    """What is open from start to shutdown."""

    def __init__(self, settings: Settings, options: ServeOptions) -> None:
        """Open nothing yet; `open` does.

        Raises:
            RiragError: keys, data folder or audit file cannot be used.
        """
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
        loader = ServiceLoader(settings, self.service, self.service_seeing, self.uploads)
        self.worker = Worker(self.jobs, self.uploads, loader, self.writing)
        self._limited: dict[str, Service] = {}
        self._opening = threading.Lock()
        self._ends: asyncio.Event | None = None
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._held: list[asyncio.Task[None]] = []
        self._deleting: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the index, and take up the jobs of an earlier run.

        An index that cannot be opened is looked for again with each request that needs it.
        """
        if self.options.keep_days:
            self._deleting = asyncio.create_task(self._delete_old())
        if not self.options.read_only:
            await asyncio.to_thread(self.worker.start)
        with suppress(RiragError):
            await asyncio.to_thread(self._warm)

    async def _delete_old(self) -> None:
        """Delete stored answers once they are as old as the options say."""
        while not self.stopping:
            with suppress(RiragError):  # a disk may be full for an hour
                await asyncio.to_thread(self.answers.delete_older, self.options.keep_days)
            await asyncio.sleep(SECONDS_BETWEEN_DELETIONS)

    def _warm(self) -> None:
        """Open the index, and run what a first search loads."""
        from rirag.service import Query

        self.service().search(Query("rule", k=1))

    def service(self) -> Service:
        """Return the service over the whole index.

        Raises:
            RiragError: the index cannot be opened.
        """
        with self._opening:
            if self._service is None:
                from rirag.service import Service

                self._service = Service.open(
                    self.settings, fresh_every_s=self.options.fresh_every_s
                )
        return self._service

    def service_for(self, caller: Caller) -> Service:
        """Return the service over what a caller may see."""
        return self.service_seeing(caller.bound)

    def service_seeing(self, bound: str) -> Service:
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

    async def hold_open(self, context: AbstractAsyncContextManager[object]) -> None:
        """Enter a context, and leave it at the shutdown, in one and the same task."""
        entered, self._ends = asyncio.Event(), self._ends or asyncio.Event()

        async def hold(ends: asyncio.Event) -> None:
            async with context:
                entered.set()
                await ends.wait()

        task = asyncio.create_task(hold(self._ends))
        self._held.append(task)
        waiting = asyncio.create_task(entered.wait())
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if task.done():
            task.result()

    async def release(self) -> None:
        """Leave what is held open."""
        self.stopping = True
        if self._ends is not None:
            self._ends.set()
        if self._deleting is not None:
            self._deleting.cancel()
        await asyncio.gather(*self._held, return_exceptions=True)

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
        """Refuse what changes the index where the server only reads.

        Raises:
            Problem: it does, or it is shutting down.
        """
        if self.options.read_only:
            raise Problem(
                "server.read-only",
                "this server is read-only: it was started with --read-only.",
            )
        if self.stopping:
            raise Problem("server.stopping", "the server is shutting down; try again soon.")

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
