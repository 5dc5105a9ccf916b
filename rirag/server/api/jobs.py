"""Jobs: what becomes of uploads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from fastapi import APIRouter
from fastapi.responses import Response

from rirag.server.addresses import job_address, rooted
from rirag.server.api.calls import Call, responses, scoped
from rirag.server.api.documents import Cursor, Limit, encoded, place_of
from rirag.server.jobs.loading import messages_about
from rirag.server.problems import refusal
from rirag.server.schemas import JobResponse, JobsResponse
from rirag.server.storage.database import Rows
from rirag.server.storage.jobs import Job
from rirag.server.strict import JsonResponse, StrictRoute

T = TypeVar("T")

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Jobs"])


@router.get("/jobs", responses=responses(200, JobsResponse, "A page of jobs, newest first."))
async def list_jobs(
    limit: Limit = 100, cursor: Cursor = None, call: Call = scoped("ingest")
) -> JsonResponse:
    """List the jobs, newest first."""
    page, after = await page_of(call.state.jobs, limit, cursor, call.caller.bound)
    return JsonResponse({"jobs": [job_to_json(job) for _, job in page], "next": after})


async def page_of(
    kept: Rows[T], limit: int, cursor: str | None, bound: str
) -> tuple[list[tuple[int, T]], str | None]:
    """Return the records of a page with their places, and the cursor of the next one."""
    rows = await asyncio.to_thread(kept.page, limit + 1, place_of(cursor), bound)
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
        raise refusal("job.ended", state=job.state)
    await asyncio.to_thread(call.state.worker.cancel, job)
    await call.audit("cancel", job=job.id)
    return Response(status_code=204)


async def job_of(call: Call, job_id: str) -> Job:
    """Return a job that the caller may see."""
    job = await asyncio.to_thread(call.state.jobs.get, job_id, call.caller.bound)
    if job is None:
        raise refusal("job.unknown")
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
        "status_url": rooted(job_address(job.id)),
        "metadata": dict(job.metadata),
        "progress": dict(job.progress),
        "files": report.get("files") or [_unread(one, problems) for one in job.files],
        "documents": report.get("documents", {"added": [], "changed": [], "unchanged": []}),
        "ingest": report.get("ingest"),
        "problem": job.problem,
    }


def _unread(file: Mapping[str, Any], problems: Sequence[str]) -> dict[str, Any]:
    """Return a file of which nothing was loaded, with what is wrong with it."""
    refused = messages_about(file["name"], problems)
    nothing = {"read": False, "passages": 0, "left_out": [], "warnings": []}
    return {**file, **nothing, "refused": refused}
