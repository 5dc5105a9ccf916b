"""Upload: look at what is understood of documents, then load them, and watch."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from generation.text.markup import without_frames
from rirag.server.api.calls import Call, visiting
from rirag.server.api.documents import queue, received
from rirag.server.api.jobs import job_of, job_to_json
from rirag.server.jobs.trial import sift
from rirag.server.jobs.uploads import REPLACE, as_fields
from rirag.server.outline import shortened
from rirag.server.pages.render import page
from rirag.server.problems import Problem, refusal
from search.errors import RiragError

if TYPE_CHECKING:
    from indexer import Structure
    from search import Passage

router = APIRouter(include_in_schema=False)

MOST_ROWS = 400


async def _staged(call: Call, staged_id: str) -> dict[str, Any]:
    """Return an upload that was looked at, and forget that it was."""
    found = await asyncio.to_thread(call.state.uploads.take, staged_id, call.caller.bound)
    if found is None:
        raise refusal("job.unknown/staged")
    return found


@router.get("/upload")
async def form(request: Request, call: Call = visiting("ingest")) -> HTMLResponse:
    """Show the form."""
    return _form(request, call)


def _form(request: Request, call: Call, problem: str = "", status: int = 200) -> HTMLResponse:
    megabytes = call.state.options.limits.upload_bytes // (1024 * 1024)
    return page(request, "upload.html", status, megabytes=megabytes, problem=problem)


@router.post("/upload")
async def look(request: Request, call: Call = visiting("ingest")) -> HTMLResponse:
    """Show what is understood of the files; nothing is loaded."""
    try:
        staged_id, files, metadata = await received(call, request)
    except Problem as problem:
        if problem.status_code == 422:
            return _form(request, call, str(problem.detail), 422)
        raise
    staged = {"files": files, "metadata": metadata, "bound": call.caller.bound}
    await asyncio.to_thread(call.state.uploads.stage, staged_id, staged)
    named = partial(call.state.uploads.without_place, staged_id)
    looked = call.state.receiving.run(call.who, lambda: _structure(call, staged_id, metadata))
    try:
        found, unusable = await call.within(call.state.options.limits.answer_seconds, looked)
    except RiragError as error:
        empty: dict[str, Any] = {"documents": (), "refused": (), "left_out": (), "guesses": ()}
        return page(request, "preview.html", id=staged_id, problem=named(str(error)), **empty)
    held = await asyncio.to_thread(_held, call)
    another = [] if REPLACE in metadata else await asyncio.to_thread(_another, call, found, held)
    unread = [f"{one.path}: {one.reason}" for one in found.skipped]
    return page(
        request, "preview.html", id=staged_id, problem="", left_out=found.left_out,
        documents=found.documents, held=held, most=MOST_ROWS, words=_words, kinds=_kinds,
        guesses=found.guesses, refused=named([*unusable, *another, *found.refused, *unread]),
    )  # fmt: skip


def _structure(
    call: Call, staged_id: str, metadata: Mapping[str, str]
) -> tuple[Structure, tuple[str, ...]]:
    from rirag.service import loading

    paths, refused = sift(call.state.uploads.paths(staged_id), lambda: call.state.stopping)
    files, unusable = loading.usable(paths)
    return loading.structure(files, document_id=as_fields(metadata)[1]), (*refused, *unusable)


def _another(call: Call, found: Structure, held: Mapping[str, str]) -> list[str]:
    """Return why documents will be refused, since the caller sees others under their IDs."""
    from indexer.load.documents import another_document

    same = [one for one in found.documents if one.document_id in held]
    problems = (
        another_document(call.service.passages({"document_id": [one.document_id]}), one.passages)
        for one in same
    )
    return [str(problem) for problem in problems if problem]


def _held(call: Call) -> dict[str, str]:
    """Return DocumentID → title of what the caller sees of the index."""
    try:
        documents = call.service.documents()
    except RiragError:
        return {}
    return {one.document_id: one.title for one in documents}


def _kinds(passages: Iterable[Passage]) -> list[tuple[str, int]]:
    return Counter(str(passage.kind) for passage in passages).most_common()


def _words(passage: Passage) -> str:
    """Return how a passage begins; a heading that is its number is not shown twice."""
    text = without_frames(passage.text).strip()
    first, _, rest = text.partition("\n")
    is_number = bool(rest.strip()) and passage.passage_id.endswith(first.strip())
    return shortened(" ".join((rest if is_number else text).split()))


@router.post("/upload/{staged_id}/load")
async def load(staged_id: str, call: Call = visiting("ingest")) -> Response:
    """Queue the job that loads the files."""
    call.state.refuse_writes()
    staged = await _staged(call, staged_id)
    job = await queue(call, staged_id, staged["files"], staged["metadata"])
    return RedirectResponse(f"/jobs/{job.id}", 303)


@router.post("/upload/{staged_id}/discard")
async def discard(staged_id: str, call: Call = visiting("ingest")) -> Response:
    """Forget the files."""
    await _staged(call, staged_id)
    await asyncio.to_thread(call.state.uploads.remove, staged_id)
    return RedirectResponse("/upload", 303)


@router.get("/jobs/{job_id}")
async def watch(request: Request, job_id: str, call: Call = visiting("ingest")) -> HTMLResponse:
    """Show how far a job is."""
    job = await job_of(call, job_id)
    shown = job_to_json(job)
    documents = shown["documents"]
    loaded = [*documents["added"], *documents["changed"], *documents["unchanged"]]
    titles = await asyncio.to_thread(_held, call) if loaded else {}
    named = [(one, titles[one] or one) for one in loaded if one in titles]
    remarks = {one: (shown["ingest"] or {}).get(one, ()) for one in ("namesakes", "guesses")}
    return page(request, "job.html", job=job, files=shown["files"], loaded=named, **remarks)


@router.post("/jobs/{job_id}/cancel")
async def cancel(job_id: str, call: Call = visiting("ingest")) -> Response:
    """Cancel a job."""
    job = await job_of(call, job_id)
    if not job.has_ended:
        await asyncio.to_thread(call.state.worker.cancel, job)
        await call.audit("cancel", job=job.id)
    return RedirectResponse(f"/jobs/{job_id}", 303)
