"""Threads that try what was uploaded, side by side, and load it, one job at a time."""

from __future__ import annotations

import fcntl
import logging
import os
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from rirag.refusals import failed
from rirag.server.addresses import job_address
from rirag.server.jobs.loading import ServiceLoader
from rirag.server.jobs.trial import sift
from rirag.server.jobs.uploads import Uploads
from rirag.server.problems import refusal, told
from rirag.server.storage.jobs import MOST_STARTS, Job, Jobs
from search.errors import CancelledError, IndexBusyError, RiragError

if TYPE_CHECKING:
    from indexer import Progress
    from rirag.service.loading import Cancelled

LOG = logging.getLogger("rirag.server")

PROGRESS_EVERY_S = 0.5
PAUSE_S = 1.0
WAIT_S = 0.1
LANES = 3
"""Jobs whose files are tried at the same time."""
LOCK = "jobs.lock"
"""File of the data folder that the one process holds that works on its jobs."""
NICENESS = 10
"""Of the thread that loads, on Linux: 0 for the priority of requests, 19 for the lowest."""


class Worker:
    """Works on the queue until it is stopped; a job that was running then is queued again."""

    def __init__(
        self, jobs: Jobs, uploads: Uploads, loader: ServiceLoader, writing: threading.Lock
    ) -> None:
        """Take what is needed; `writing` is held by whoever changes the index."""
        self._jobs = jobs
        self._uploads = uploads
        self._loader = loader
        self._writing = writing
        self._wake = threading.Event()
        self._stopping = False
        self._lock: IO[str] | None = None
        self._works = False
        self._picking = threading.Lock()
        self._running: dict[str, frozenset[str]] = {}
        """ID → names of the files of each job that runs, in the order in which they began."""
        self._threads = [
            threading.Thread(target=self._run, name=f"rirag-jobs-{lane}", daemon=True)
            for lane in range(LANES)
        ]

    @property
    def is_alive(self) -> bool:
        """Whether jobs are worked on."""
        return all(one.is_alive() for one in self._threads)

    def start(self) -> None:
        """Begin, or wait until no other server works on the jobs of the folder."""
        if not self._is_alone():
            LOG.info("another server works on the jobs of this data folder; this one waits")
        for one in self._threads:
            one.start()

    def _is_alone(self) -> bool:
        """Return whether this process works on the jobs; the first time, take up what is left.

        The system frees the lock of a process that ends, however it ends.
        """
        if not self._works:
            path = self._uploads.folder.with_name(LOCK)
            try:
                self._lock = self._lock or path.open("a", encoding="utf-8")
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            except OSError as error:
                raise failed("storage.failed/lock", path=path, error=error) from None
            self._works = True
            self._take_up()
        return True

    def _take_up(self) -> None:
        """Queue what a crash left, and forget files of no job."""
        for job in self._jobs.resume():
            problem = refusal("server.failed/job", times=MOST_STARTS)
            self._ended(replace(job, state="failed", problem=problem.to_json(job_address(job.id))))
        found = (self._jobs.get(folder.name) for folder in self._uploads.folder.glob("*"))
        self._uploads.sweep(job.id for job in found if job is not None and not job.has_ended)

    def wake(self) -> None:
        """Look for a new job now."""
        self._wake.set()

    def cancel(self, job: Job) -> None:
        """End a job; what it would have loaded is not loaded."""
        if self._jobs.cancel_queued(job.id):
            self._uploads.remove(job.id)
        else:
            self._uploads.cancel(job.id)

    def stop(self) -> None:
        """Stop; the job that runs is queued again."""
        self._stopping = True
        self._wake.set()
        for one in self._threads:
            if one.is_alive():
                one.join()
        if self._lock is not None:
            self._lock.close()

    def _run(self) -> None:
        _give_way()
        while not self._stopping:
            try:
                with self._picking:
                    job = self._jobs.next() if self._is_alone() else None
                    if job is not None:
                        self._running[job.id] = frozenset(one["name"] for one in job.files)
            except RiragError:
                LOG.exception("the queue of jobs cannot be read")
                job = None
            if job is None:
                self._wake.wait(PAUSE_S)
                self._wake.clear()
                continue
            try:
                self._work(job)
            except RiragError:
                LOG.exception("the result of a job cannot be stored")
                self._wake.wait(PAUSE_S)
            finally:
                self._running.pop(job.id, None)

    def _work(self, job: Job) -> None:
        LOG.info("job begins", extra={"job": job.id})
        last = 0.0

        def progress(stage: str, done: int, total: int) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= PROGRESS_EVERY_S or done == total:
                last = now
                shown = {"stage": stage, "done": done, "total": total}
                self._jobs.save(replace(job, progress=shown))

        def cancelled() -> bool:
            return self._stopping or self._uploads.is_cancelled(job.id)

        try:
            report = self._loaded(job, progress, cancelled)
        except CancelledError:
            state = "cancelled" if self._uploads.is_cancelled(job.id) else "queued"
            ended = replace(job, state=state, starts=job.starts)  # type: ignore[arg-type]
        except Exception as error:
            problem = told(error, "job failed", job=job.id).to_json(job_address(job.id))
            problem["detail"] = self._uploads.without_place(job.id, problem["detail"])
            ended = replace(job, state="failed", problem=problem)
        else:
            ended = replace(job, state="done", report=report)
        self._ended(ended)

    def _loaded(self, job: Job, progress: Progress, cancelled: Cancelled) -> Mapping[str, Any]:
        """Try the files, then load them; wait for those who load, here or in another process."""
        progress("read", 0, len(job.files))
        paths, refused = sift(self._uploads.paths(job.id), cancelled)
        while not cancelled():
            if self._has_earlier(job) or not self._writing.acquire(timeout=WAIT_S):
                time.sleep(WAIT_S)
                continue
            try:
                with suppress(IndexBusyError):
                    return self._loader.load(job, paths, progress, cancelled, refused)
            finally:
                self._writing.release()
            time.sleep(PAUSE_S)
        raise CancelledError("the work was cancelled")

    def _has_earlier(self, job: Job) -> bool:
        """Return whether a job that began earlier brings a file of the same name: it goes first."""
        for other, names in list(self._running.items()):
            if other == job.id:
                return False
            if names & self._running[job.id]:
                return True
        return False

    def _ended(self, job: Job) -> None:
        self._jobs.save(job)
        if job.has_ended:
            self._uploads.remove(job.id)
        LOG.info("job ends", extra={"job": job.id, "state": job.state})


def _give_way() -> None:
    """Let requests run first where both want a processor."""
    if sys.platform == "linux":  # where a priority is that of a thread
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
