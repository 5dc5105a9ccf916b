"""Jobs that change the index, in the order they were asked for."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from rirag.server.storage.database import Database, Rows, now

JobState = Literal["queued", "running", "done", "failed", "cancelled"]
JOB_STATES: tuple[JobState, ...] = get_args(JobState)
ENDED: tuple[JobState, ...] = ("done", "failed", "cancelled")

IN_BODY = ("files", "metadata", "progress", "report", "problem", "updated")
"""Fields of a job that are kept in one column."""

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

    def body(self) -> str:
        """Return what is kept in one column."""
        return json.dumps({name: getattr(self, name) for name in IN_BODY})


class Jobs(Rows[Job]):
    """The jobs of a server."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, "jobs", _job)

    def add(
        self, files: tuple[Mapping[str, Any], ...], metadata: Mapping[str, str], *, job_id: str,
        maker: str, bound: str, same: str,
    ) -> tuple[Job, bool]:  # fmt: skip
        """Queue a job; return it, or the same one that has not ended, and whether it is new."""
        with_same = self._database.one(
            "SELECT * FROM jobs WHERE same = ? AND state IN ('queued', 'running')", same
        )
        if with_same is not None:
            return _job(with_same), False
        created = now()
        job = Job(job_id, created, maker, bound, "queued", 0, files, metadata, updated=created)
        self._database.write(
            "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            job_id, same, created, maker, bound, "queued", 0, job.body(),
        )  # fmt: skip
        return job, True

    def counts(self) -> dict[str, int]:
        """Return state → how many jobs are in it."""
        rows = self._database.all("SELECT state, count(*) AS number FROM jobs GROUP BY state")
        found = {row["state"]: row["number"] for row in rows}
        return {state: found.get(state, 0) for state in JOB_STATES}

    def next(self) -> Job | None:
        """Take the oldest queued job and mark it as running."""
        taken = self._database.all(
            "UPDATE jobs SET state = 'running', starts = starts + 1 WHERE rowid = "
            "(SELECT min(rowid) FROM jobs WHERE state = 'queued') RETURNING *"
        )
        return _job(taken[0]) if taken else None

    def save(self, job: Job) -> None:
        """Keep the state, progress and outcome of a job."""
        self._database.write(
            "UPDATE jobs SET state = ?, body = ? WHERE id = ?",
            job.state, replace(job, updated=now()).body(), job.id,
        )  # fmt: skip

    def cancel_queued(self, job_id: str) -> bool:
        """Cancel a job that has not begun; return whether it was one."""
        cancel = "UPDATE jobs SET state = 'cancelled' WHERE id = ? AND state = 'queued'"
        return bool(self._database.write(cancel, job_id))

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


def new_id() -> str:
    """Return the ID of a new job, which nobody can guess."""
    return secrets.token_hex(16)


def _job(row: sqlite3.Row) -> Job:
    columns = {name: row[name] for name in ("id", "created", "maker", "bound", "state", "starts")}
    job = Job(**columns, **json.loads(row["body"]))
    return replace(job, files=tuple(job.files))
