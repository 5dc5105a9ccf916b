"""Upload: look at what is understood of documents, then load them, and watch."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from generation.text.statements.tables import without_frames
from rirag.server.api.calls import Call
from rirag.server.api.documents import queue, received
from rirag.server.api.jobs import job_of, job_to_json
from rirag.server.jobs.trial import sift
from rirag.server.jobs.uploads import KEPT_SECONDS, REPLACE, as_fields
from rirag.server.outline import shortened
from rirag.server.pages.render import page
from rirag.server.pages.visiting import visiting
from rirag.server.problems import Problem
from search.errors import InputError, RiragError

if TYPE_CHECKING:
    from indexer import Structure
    from indexer.review.structure import DocumentStructure
    from search import Passage

router = APIRouter(include_in_schema=False)

MOST_ROWS = 400
MOST_KEPT = 100


@dataclass(frozen=True, slots=True)
class Staged:
    """An upload that is looked at, and not loaded yet."""

    id: str
    files: tuple[dict[str, Any], ...]
    metadata: dict[str, str]
    bound: str
    until: float


class Staging:
    """The uploads that are looked at; a restart forgets them."""

    def __init__(self) -> None:
        self._held: dict[str, Staged] = {}

    def add(self, staged: Staged) -> list[str]:
        """Keep an upload; return the IDs of those that are kept no longer."""
        now = time.monotonic()
        old = [one.id for one in self._held.values() if one.until < now]
        old += list(self._held)[: max(0, len(self._held) - MOST_KEPT)]
        for one in old:
            self._held.pop(one, None)
        self._held[staged.id] = staged
        return old

    def take(self, staged_id: str, call: Call) -> Staged:
        """Return an upload and forget it.

        Raises:
            Problem: it is not here any more.
        """
        found = self._held.get(staged_id)
        if found is None or found.bound != call.caller.bound:
            from rirag.server.pages.render import WORDS

            raise Problem("job.unknown", WORDS("upload.expired"))
        return self._held.pop(staged_id)


def _staging(call: Call) -> Staging:
    app = call.request.app
    if not hasattr(app.state, "staging"):
        app.state.staging = Staging()
    staging: Staging = app.state.staging
    return staging


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
    except Problem as refusal:
        if refusal.status_code == 422:
            return _form(request, call, str(refusal.detail), 422)
        raise
    staged = Staged(
        staged_id, tuple(files), metadata, call.caller.bound, time.monotonic() + KEPT_SECONDS
    )
    for old in _staging(call).add(staged):
        await asyncio.to_thread(call.state.uploads.remove, old)
    seconds = call.state.options.limits.answer_seconds
    named = partial(call.state.uploads.without_place, staged_id)
    try:
        found, unusable = await call.within(
            seconds,
            call.state.receiving.run(call.who, lambda: _structure(call, staged_id, metadata)),
        )
    except RiragError as error:
        empty: dict[str, Any] = {"documents": (), "refused": (), "left_out": (), "guesses": ()}
        return page(request, "preview.html", id=staged_id, problem=named(str(error)), **empty)
    another = [] if REPLACE in metadata else await asyncio.to_thread(_another, call, found)
    held = await asyncio.to_thread(_held, call)
    return page(
        request,
        "preview.html",
        id=staged_id,
        documents=[_document(one, held) for one in found.documents],
        problem="",
        refused=named([*unusable, *another, *found.refused, *_unread(found)]),
        left_out=found.left_out,
        guesses=found.guesses,
    )


def _structure(
    call: Call, staged_id: str, metadata: Mapping[str, str]
) -> tuple[Structure, tuple[str, ...]]:
    from rirag.service import loading

    paths, refused = sift(call.state.uploads.paths(staged_id), lambda: call.state.stopping)
    if refused and not paths:
        raise InputError("\n".join(refused), code="source.too-large")
    files, unusable = loading.usable(paths)
    return loading.structure(files, document_id=as_fields(metadata)[1]), (*refused, *unusable)


def _another(call: Call, found: Structure) -> list[str]:
    """Return why documents will be refused, since the caller sees others under their IDs."""
    from indexer.load.documents import another_document

    service = call.state.service_for(call.caller)
    held = {one.document_id for one in found.documents} & _held(call).keys()
    problems = (
        another_document(service.passages({"document_id": [one.document_id]}), one.passages)
        for one in found.documents
        if one.document_id in held
    )
    return [str(problem) for problem in problems if problem]


def _unread(found: Structure) -> list[str]:
    return [f"{one.path}: {one.reason}" for one in found.skipped]


def _held(call: Call) -> dict[str, str]:
    """Return DocumentID → title of what the caller sees of the index."""
    try:
        documents = call.state.service_for(call.caller).documents()
    except RiragError:
        return {}
    return {one.document_id: one.title for one in documents}


def _document(found: DocumentStructure, held: Container[str]) -> dict[str, Any]:
    doubtful = {warning.id for warning in found.warnings}
    kinds = Counter(str(passage.kind) for passage in found.passages)
    return {
        "title": found.title,
        "document_id": found.document_id,
        "replaces": found.document_id in held,
        "count": len(found.passages),
        "kinds": kinds.most_common(),
        "warnings": found.warnings,
        "more": max(0, len(found.passages) - MOST_ROWS),
        "rows": [
            {
                "number": passage.passage_id,
                "kind": passage.kind,
                "level": min(len(passage.breadcrumb), 6),
                "words": _words(passage),
                "doubtful": passage.id in doubtful,
            }
            for passage in found.passages[:MOST_ROWS]
        ],
    }


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
    staged = _staging(call).take(staged_id, call)
    job = await queue(call, staged.id, staged.files, staged.metadata)
    return RedirectResponse(f"/jobs/{job.id}", 303)


@router.post("/upload/{staged_id}/discard")
async def discard(staged_id: str, call: Call = visiting("ingest")) -> Response:
    """Forget the files."""
    staged = _staging(call).take(staged_id, call)
    await asyncio.to_thread(call.state.uploads.remove, staged.id)
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
