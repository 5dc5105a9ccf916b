"""Documents and passages: list, read, upload, delete."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from rirag.server.api.calls import Call, responses, scoped
from rirag.server.jobs.uploads import checked_metadata, identity
from rirag.server.outline import outline
from rirag.server.problems import Problem, busy
from rirag.server.root_path import rooted
from rirag.server.schemas import (
    MOST_NEIGHBOURS,
    DocumentResponse,
    DocumentsResponse,
    PassageResponse,
    UploadResponse,
)
from rirag.server.strict import JsonResponse, StrictRoute
from rirag.server.work import Slots
from search.json_form import to_json
from search.messages.refusals import unknown_document

if TYPE_CHECKING:
    from rirag.server.storage.jobs import Job
    from rirag.service import Service
    from search import DocumentSummary

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Documents"])

MOST_FILES = 1000
WRITE_WAIT_S = 10.0

Limit = Annotated[int, Query(ge=1, le=100)]
Cursor = Annotated[str | None, Query(max_length=200)]


@router.get("/documents", responses=responses(200, DocumentsResponse, "A page of documents."))
async def list_documents(
    limit: Limit = 100, cursor: Cursor = None, call: Call = scoped("search")
) -> JsonResponse:
    """List the documents, in the order in which they were first loaded."""
    place, _, after = decoded(cursor).partition(":")
    if place and not (place.isdecimal() and len(place) < 10):
        raise Problem("request.invalid", "this cursor was not issued by this server.")
    documents = await reading(call, lambda service: service.documents())
    ids = [document.document_id for document in documents]
    # The document that the last page ended with may be deleted by now.
    first = ids.index(after) + 1 if after in ids else int(place or 0)
    page = documents[first : first + limit]
    end = first + len(page)
    more = page and end < len(documents)
    return JsonResponse(
        {
            "documents": to_json(page),
            "next": encoded(f"{end - 1}:{ids[end - 1]}") if more else None,
        }
    )


@router.get("/documents/{document_id:path}/versions", include_in_schema=False)
async def versions(document_id: str) -> None:  # noqa: ARG001 - a part of the address
    """Keep the address free for the versions of a document."""
    raise Problem("request.not-found", "this address does not exist.")


@router.get(
    "/documents/{document_id:path}",
    responses=responses(200, DocumentResponse, "The document with its outline."),
)
async def show_document(document_id: str, call: Call = scoped("search")) -> JsonResponse:
    """Return a document: title, metadata, and its outline with the ID of each passage."""

    def read(service: Service) -> dict[str, Any]:
        found = document_of(service, document_id)
        passages = service.passages({"document_id": [found.document_id]})
        return {**found.to_json(), "outline": to_json(outline(passages))}

    return JsonResponse(await reading(call, read))


@router.get(
    "/passages/{passage_id:path}", responses=responses(200, PassageResponse, "The passage.")
)
async def show_passage(
    passage_id: str,
    neighbours: Annotated[int, Query(ge=0, le=MOST_NEIGHBOURS)] = 0,
    links: Annotated[bool, Query()] = False,
    call: Call = scoped("search"),
) -> JsonResponse:
    """Return one passage by its ID, with what is around it and what it is linked with."""

    def read(service: Service) -> dict[str, Any]:
        found = service.passages({"id": [passage_id]})
        if not found:
            raise Problem("passage.unknown", "the index has no passage with this ID.")
        data = found[0].to_json()
        if links:
            data["links"] = service.links(found[:1])[0].to_json()
        if neighbours:
            data["neighbours"] = to_json(service.neighbours(found[0], neighbours))
        return data

    return JsonResponse(await reading(call, read))


_UPLOAD = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "format": "binary"},
                            "description": "One or more documents.",
                        },
                        "document_id": {
                            "type": "string",
                            "description": "DocumentID of the only document.",
                        },
                        "replace": {
                            "type": "string",
                            "enum": ["true"],
                            "description": "Let it replace another document of its DocumentID.",
                        },
                    },
                    "additionalProperties": {
                        "type": "string",
                        "description": "Metadata of every passage.",
                    },
                }
            }
        },
    }
}


@router.post(
    "/documents", status_code=202, openapi_extra=_UPLOAD,
    responses=responses(202, UploadResponse, "The upload is stored and will be loaded."),
)  # fmt: skip
async def upload(request: Request, call: Call = scoped("ingest")) -> JsonResponse:
    """Upload documents; a job loads them. The same upload again has the same job."""
    job = await queue(call, *await received(call, request))
    address = f"/v1/jobs/{job.id}"
    return JsonResponse(
        {"job_id": job.id, "status_url": rooted(address)}, 202, headers={"Location": address}
    )


async def queue(
    call: Call, job_id: str, files: Sequence[dict[str, Any]], metadata: dict[str, str]
) -> Job:
    """Queue the job that loads files; for the same upload again, return the job it has."""
    state, bound = call.state, call.caller.bound
    job, is_new = await asyncio.to_thread(
        state.jobs.add, tuple(files), metadata, job_id=job_id, maker=call.caller.name, bound=bound,
        same=identity(files, metadata, bound),
    )  # fmt: skip
    if not is_new:
        await asyncio.to_thread(state.uploads.remove, job_id)
    state.worker.wake()
    await call.audit("upload", job=job.id, files=[one["name"] for one in files])
    return job


async def received(
    call: Call, request: Request
) -> tuple[str, list[dict[str, Any]], dict[str, str]]:
    """Store the files of a form; return the ID of a job for them, what they are, and metadata.

    Raises:
        Problem: the server only reads, or the form cannot be read.
        StorageError: the disk is full.
    """
    state = call.state
    state.refuse_writes()
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise Problem("request.not-multipart", "send the files as multipart/form-data.")
    if state.jobs.counts()["queued"] >= state.options.limits.jobs_waiting:
        raise busy("the queue of jobs is full; try again later.", seconds=30)
    async with state.receiving.place(call.who):
        try:
            form = await request.form(max_files=MOST_FILES, max_fields=MOST_FILES)
        except HTTPException as error:
            if isinstance(error, Problem):
                raise
            raise Problem("request.malformed", f"the form cannot be read: {error.detail}") from None
        try:
            metadata = checked_metadata(_fields(form), call.caller)
            files = [
                (one.filename or "", one.file)
                for one in form.getlist("file")
                if isinstance(one, UploadFile) and (one.filename or one.size)
            ]
            job_id, kept = await asyncio.to_thread(state.uploads.keep, files)
        finally:
            await form.close()
    return job_id, kept, metadata


def _fields(form: FormData) -> dict[str, list[str]]:
    """Return the metadata of a form: fields by name, or pairs of `field` and `value`.

    Raises:
        Problem: a file was sent under another name than `file`.
    """
    fields: dict[str, list[str]] = {}
    for name, one in form.multi_items():
        if isinstance(one, str):
            if name == "file":
                raise Problem("request.invalid", "a file was sent without a name.")
            if name not in ("field", "value"):
                fields.setdefault(name, []).append(one)
        elif name != "file":
            raise Problem("request.invalid", f"send files as 'file', not {name[:80]!r}.")
    pairs = zip(form.getlist("field"), form.getlist("value"), strict=False)
    for field, value in pairs:
        if str(field).strip():
            fields.setdefault(str(field).strip(), []).append(str(value))
    return fields


@router.delete(
    "/documents/{document_id:path}", status_code=204,
    responses=responses(204, None, "The document is deleted."),
)  # fmt: skip
async def delete_document(document_id: str, call: Call = scoped("ingest")) -> Response:
    """Delete a document."""
    await deleted(call, document_id)
    return Response(status_code=204)


async def deleted(call: Call, document_id: str) -> None:
    """Delete a document that the caller sees whole.

    Raises:
        InputError: there is none.
        Problem: the server only reads, or a load takes too long to wait for.
    """
    call.state.refuse_writes()

    def delete() -> None:
        from rirag.service import loading

        state = call.state
        if not state.writing.acquire(timeout=WRITE_WAIT_S):
            raise busy("documents are being loaded; try again soon.", "index.busy", 10)
        try:
            found = document_of(state.service_for(call.caller), document_id)
            whole = {one.document_id: one.passages for one in state.service().documents()}
            if whole.get(found.document_id) != found.passages:
                raise unknown_document(document_id, state.settings.index)
            loading.delete_documents(state.settings, [found.document_id])
            state.service().refresh()
        finally:
            state.writing.release()

    await call.state.storing.run(call.who, delete)
    await call.audit("delete", document_id=document_id)


def document_of(service: Service, document_id: str) -> DocumentSummary:
    """Return a document by its ID.

    Raises:
        InputError: the index has none.
    """
    found = next((one for one in service.documents() if one.document_id == document_id), None)
    if found is None:
        raise unknown_document(document_id, service.index.url)
    return found


async def reading(call: Call, read: Any) -> Any:
    """Return what a function reads of what the caller sees, without waiting for searches."""
    return await _run(call, call.state.reading, read)


async def searching(call: Call, search: Any) -> Any:
    """Return what a function searches in what the caller sees, in the line of searches."""
    return await _run(call, call.state.searching, search)


async def _run(call: Call, slots: Slots, read: Any) -> Any:
    seconds = call.state.options.limits.request_seconds
    work = slots.run(call.who, lambda: read(call.state.service_for(call.caller)))
    return await call.within(seconds, work)


def encoded(place: str) -> str:
    """Return a cursor, which says nothing to those who get it."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def decoded(cursor: str | None) -> str:
    """Return the place that a cursor is for; empty: the beginning.

    Raises:
        Problem: it is none.
    """
    if not cursor:
        return ""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        return raw.decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        raise Problem("request.invalid", "this cursor was not issued by this server.") from None
