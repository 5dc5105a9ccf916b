"""Jobs: what becomes of uploads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from rirag.server.api.calls import Call, responses, scoped
from rirag.server.api.documents import Cursor, Limit, decoded, encoded
from rirag.server.jobs.loading import refused_of
from rirag.server.problems import Problem
from rirag.server.root_path import rooted
from rirag.server.schemas import JobResponse, JobsResponse
from rirag.server.storage.jobs import Job
from rirag.server.strict import JsonResponse, StrictRoute

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Jobs"])


@router.get("/jobs", responses=responses(200, JobsResponse, "A page of jobs, newest first."))
async def list_jobs(
    limit: Limit = 100, cursor: Cursor = None, call: Call = scoped("ingest")
) -> JsonResponse:
    """List the jobs, newest first."""
    page, after = await page_of(call.state.jobs.page, limit, cursor, call.caller.bound)
    return JsonResponse({"jobs": [job_to_json(job) for _, job in page], "next": after})


async def page_of(read: Any, limit: int, cursor: str | None, bound: str) -> tuple[list[Any], Any]:
    """Return the rows of a page and the cursor of the next one; rows begin with their place."""
    text = decoded(cursor)
    if text and not (text.isdecimal() and len(text) < 19):
        raise Problem("request.invalid", "this cursor was not issued by this server.")
    rows = await asyncio.to_thread(read, limit + 1, int(text) if text else None, bound)
    page = rows[:limit]
    return page, encoded(str(page[-1][0])) if len(rows) > limit else None


@router.get(
    "/jobs/{job_id}", responses=responses(200, JobResponse, "The current state of the job.")
)
async def show_job(job_id: str, call: Call = scoped("ingest")) -> JsonResponse:
    """Return a job: its state, its progress, and what became of each file."""
    return JsonResponse(job_to_json(await job_of(call, job_id)))


@router.delete(
    "/jobs/{job_id}", status_code=204, responses=responses(204, None, "The job will stop.")
)
async def cancel_job(job_id: str, call: Call = scoped("ingest")) -> Response:
    """Cancel a job; nothing of it is loaded."""
    job = await job_of(call, job_id)
    if job.has_ended:
        raise Problem("job.ended", f"the job has already ended: it is {job.state}.")
    await asyncio.to_thread(call.state.worker.cancel, job)
    await call.audit("cancel", job=job.id)
    return Response(status_code=204)


async def job_of(call: Call, job_id: str) -> Job:
    """Return a job that the caller may see.

    Raises:
        Problem: there is none.
    """
    job = await asyncio.to_thread(call.state.jobs.get, job_id, call.caller.bound)
    if job is None:
        raise Problem("job.unknown", "no job has this ID.")
    return job


def job_to_json(job: Job) -> dict[str, Any]:
    """Return a job as the API shows it."""
    report = job.report or {}
    problems = str((job.problem or {}).get("detail", "")).splitlines()
    return {
        "job_id": job.id,
        "state": job.state,
        "created": job.created,
        "updated": job.updated,
        "status_url": rooted(f"/v1/jobs/{job.id}"),
        "metadata": dict(job.metadata),
        "progress": dict(job.progress),
        "files": report.get("files") or [_unread(one, problems) for one in job.files],
        "documents": report.get("documents", {"added": [], "changed": [], "unchanged": []}),
        "ingest": report.get("ingest"),
        "problem": job.problem,
    }


def _unread(file: Mapping[str, Any], problems: Sequence[str]) -> dict[str, Any]:
    """Return a file of which nothing was loaded, with what is wrong with it."""
    refused = refused_of(file["name"], problems)
    nothing = {"read": False, "passages": 0, "left_out": [], "warnings": []}
    return {**file, **nothing, "refused": refused}
