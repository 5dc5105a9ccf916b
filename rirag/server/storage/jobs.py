"""Jobs that change the index, in the order they were asked for."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from rirag.server.storage.database import Database

JobState = Literal["queued", "running", "done", "failed", "cancelled"]
JOB_STATES: tuple[JobState, ...] = get_args(JobState)
ENDED: tuple[JobState, ...] = ("done", "failed", "cancelled")

MOST_STARTS = 3
"""A job that ended the server so many times is not started again."""


@dataclass(frozen=True, slots=True)
class Job:
    """One job as it is now."""

    id: str
    created: str
    maker: str
    bound: str
    state: JobState
    starts: int
    """How many times it was begun; more than once after a crash."""
    files: tuple[Mapping[str, Any], ...] = ()
    """Name, bytes and SHA-256 of each upload."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    progress: Mapping[str, Any] = field(default_factory=dict)
    """`stage`, what is `done` of it and the `total`."""
    report: Mapping[str, Any] | None = None
    """As `rirag ingest --json`; None: it has not ended well."""
    problem: Mapping[str, Any] | None = None
    """Why it failed, as a problem object."""
    updated: str = ""

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ENDED

    def body(self) -> dict[str, Any]:
        """Return what is kept in one column."""
        return {
            "files": list(self.files),
            "metadata": dict(self.metadata),
            "progress": dict(self.progress),
            "report": self.report,
            "problem": self.problem,
            "updated": self.updated,
        }


class Jobs:
    """The jobs of a server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        files: tuple[Mapping[str, Any], ...],
        metadata: Mapping[str, str],
        *,
        job_id: str,
        maker: str,
        bound: str,
        same: str,
    ) -> tuple[Job, bool]:
        """Queue a job; return it, or the same one that has not ended, and whether it is new."""
        with_same = self._database.one(
            "SELECT * FROM jobs WHERE same = ? AND state IN ('queued', 'running')", same
        )
        if with_same is not None:
            return _job(with_same), False
        now = _now()
        job = Job(job_id, now, maker, bound, "queued", 0, files, metadata, updated=now)
        self._database.write(
            (
                "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (job_id, same, now, maker, bound, "queued", 0, json.dumps(job.body())),
            )
        )
        return job, True

    def get(self, job_id: str, bound: str = "") -> Job | None:
        """Return a job; None where there is none that a caller with these filters may see."""
        row = self._database.one("SELECT * FROM jobs WHERE id = ?", job_id)
        job = None if row is None else _job(row)
        return job if job is not None and bound in ("", job.bound) else None

    def page(self, limit: int, before: int | None = None, bound: str = "") -> list[tuple[int, Job]]:
        """Return jobs with their places, newest first."""
        rows = self._database.all(
            "SELECT rowid AS place, * FROM jobs WHERE rowid < ? AND (? = '' OR bound = ?) "
            "ORDER BY rowid DESC LIMIT ?",
            2**62 if before is None else before, bound, bound, limit,
        )  # fmt: skip
        return [(row["place"], _job(row)) for row in rows]

    def counts(self) -> dict[str, int]:
        """Return state → how many jobs are in it."""
        rows = self._database.all("SELECT state, count(*) AS number FROM jobs GROUP BY state")
        found = {row["state"]: row["number"] for row in rows}
        return {state: found.get(state, 0) for state in JOB_STATES}

    def next(self) -> Job | None:
        """Take the oldest queued job and mark it as running."""
        row = self._database.one("SELECT * FROM jobs WHERE state = 'queued' ORDER BY rowid LIMIT 1")
        if row is None:
            return None
        changed = self._database.write(
            (
                "UPDATE jobs SET state = 'running', starts = starts + 1 "
                "WHERE id = ? AND state = 'queued'",
                (row["id"],),
            )
        )
        return self.get(row["id"]) if changed else None

    def save(self, job: Job) -> None:
        """Keep the state, progress and outcome of a job."""
        changed = replace(job, updated=_now())
        self._database.write(
            (
                "UPDATE jobs SET state = ?, body = ? WHERE id = ?",
                (job.state, json.dumps(changed.body()), job.id),
            )
        )

    def cancel_queued(self, job_id: str) -> bool:
        """Cancel a job that has not begun; return whether it was one."""
        changed = self._database.write(
            (
                "UPDATE jobs SET state = 'cancelled' WHERE id = ? AND state = 'queued'",
                (job_id,),
            )
        )
        return bool(changed)

    def resume(self) -> list[Job]:
        """Queue again what ran when the server ended; return the jobs that are given up."""
        rows = self._database.all("SELECT * FROM jobs WHERE state = 'running'")
        given_up = []
        for job in map(_job, rows):
            if job.starts >= MOST_STARTS:
                given_up.append(job)
            else:
                self.save(replace(job, state="queued"))
        return given_up

    def ended(self) -> set[str]:
        """Return the IDs of all jobs that have ended."""
        rows = self._database.all(
            "SELECT id FROM jobs WHERE state IN ('done', 'failed', 'cancelled')"
        )
        return {row["id"] for row in rows}


def new_id() -> str:
    """Return the ID of a new job, which nobody can guess."""
    return secrets.token_urlsafe(16)


def _job(row: sqlite3.Row) -> Job:
    body = json.loads(row["body"])
    return Job(
        row["id"], row["created"], row["maker"], row["bound"], row["state"], row["starts"],
        tuple(body["files"]), body["metadata"], body["progress"], body["report"], body["problem"],
        body["updated"],
    )  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
