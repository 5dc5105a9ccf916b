"""Documents and passages: list, read, upload, delete."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from rirag.reports.atom import MEDIA_TYPE as ATOM
from rirag.reports.atom import atom
from rirag.server.addresses import job_address, rooted
from rirag.server.api.calls import Call, responses, scoped
from rirag.server.jobs.uploads import checked_metadata, identity
from rirag.server.openapi import texts
from rirag.server.outline import outline
from rirag.server.problems import Problem, busy, refusal
from rirag.server.schemas import (
    MOST_NEIGHBOURS,
    ChangesResponse,
    ComparisonResponse,
    DocumentResponse,
    DocumentsResponse,
    PassageResponse,
    UploadResponse,
    VersionsResponse,
)
from rirag.server.strict import JsonResponse, StrictRoute, with_urls
from rirag.service.query import asked_day_of
from search.json_form import to_json
from search.law_in_time import as_of as on_day
from search.messages.refusals import unknown_document
from search.versions.compare import Level

if TYPE_CHECKING:
    from rirag.server.storage.jobs import Job
    from rirag.service import Service
    from search import DocumentSummary, Passage
    from search.versions.compare import Comparison
    from search.versions.works import VersionState

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Documents"])

MOST_FILES = 1000
WRITE_WAIT_S = 10.0

Limit = Annotated[int, Query(ge=1, le=100)]
Cursor = Annotated[str | None, Query(max_length=200)]
Day = Annotated[str, Query(max_length=200)]


@router.get("/documents", responses=responses(200, DocumentsResponse, "A page of documents."))
async def list_documents(
    limit: Limit = 100, cursor: Cursor = None, call: Call = scoped("search")
) -> JsonResponse:
    """List the documents, in the order in which they were first loaded."""
    place, _, after = decoded(cursor).partition(":")
    if place and not (place.isdecimal() and len(place) < 10):
        raise refusal("request.invalid/cursor")
    documents = await call.read(lambda service: service.documents())
    ids = [document.document_id for document in documents]
    # The document that the last page ended with may be deleted by now.
    first = ids.index(after) + 1 if after in ids else int(place or 0)
    page = documents[first : first + limit]
    end = first + len(page)
    more = page and end < len(documents)
    after = encoded(f"{end - 1}:{ids[end - 1]}") if more else ""
    return JsonResponse({"documents": with_urls(to_json(page)), "next": after or None})


@router.get(
    "/documents/{document_id:path}/versions",
    responses=responses(200, VersionsResponse, "The versions, oldest first."),
)
async def versions(document_id: str, call: Call = scoped("search")) -> JsonResponse:
    """List the versions of a document with their days."""

    def read(service: Service) -> list[VersionState]:
        return service.versions(document_of(service, document_id).document_id)

    return JsonResponse({"versions": to_json(await call.read(read))})


@router.get(
    "/documents/{document_id:path}/compare",
    responses=responses(200, ComparisonResponse, "What changed, rule by rule."),
)
async def compare(
    document_id: str,
    old: Annotated[str, Query(alias="from", max_length=200)] = "",
    new: Annotated[str, Query(alias="to", max_length=200)] = "",
    rule: Annotated[str, Query(max_length=200)] = "",
    level: Level = "unit",
    with_editorial: Annotated[bool, Query(alias="all")] = False,
    call: Call = scoped("search"),
) -> JsonResponse:
    """Compare two versions of a document, each named by its name or a day; or the last two."""

    def read(service: Service) -> Comparison:
        found = document_of(service, document_id)
        return service.compare(
            found.document_id, old, new, rule=rule, level=level, with_editorial=with_editorial
        )

    return JsonResponse((await call.search(read)).to_json())


@router.get("/changes", responses=responses(200, ChangesResponse, "What changed.", ATOM))
async def changes(
    since: Day,
    until: Day = "",
    document: Day = "",
    format: Literal["json", "atom"] = "json",  # noqa: A002 - the parameter's name
    call: Call = scoped("search"),
) -> Response:
    """List what changed in the law since a day, or will change, the latest first.

    What that affects has the stored answers of the caller; with the scope `admin`, of anybody.
    """
    found = await call.search(lambda service: service.changes(since, until, document))
    maker = None if call.caller.may("admin") else call.caller.name
    former = {one.id for amendment in found for rule in amendment.before for one in rule}
    answers = await asyncio.to_thread(
        call.state.answers.citing, former, bound=call.caller.bound, maker=maker
    )
    found = [one.cited_by(answers) for one in found]
    if format == "atom":
        return Response(atom(found, str(call.request.url)), media_type=ATOM)
    return JsonResponse({"changes": to_json(found)})


@router.get(
    "/documents/{document_id:path}",
    responses=responses(200, DocumentResponse, "The document with its outline."),
)
async def show_document(
    document_id: str, as_of: Day = "", version: Day = "", call: Call = scoped("search")
) -> JsonResponse:
    """Return a document: title, metadata, and its outline with the ID of each passage."""

    @on_day(asked_day_of(as_of, version))
    def read(service: Service) -> dict[str, Any]:
        found = document_of(service, document_id)
        service.index.asked_version(found.document_id)
        passages = service.passages({"document_id": [found.document_id]})
        return {**found.to_json(), "outline": to_json(outline(passages))}

    return JsonResponse(with_urls(await call.read(read)))


@router.get(
    "/passages/{passage_id:path}", responses=responses(200, PassageResponse, "The passage.")
)
async def show_passage(
    passage_id: str,
    neighbours: Annotated[int, Query(ge=0, le=MOST_NEIGHBOURS)] = 0,
    links: Annotated[bool, Query()] = False,
    as_of: Day = "",
    version: Day = "",
    call: Call = scoped("search"),
) -> JsonResponse:
    """Return one passage by its ID, with what is around it and what it is linked with."""

    @on_day(asked_day_of(as_of, version))
    def read(service: Service) -> dict[str, Any]:
        found = passage_of(service, passage_id)
        data = {**found.to_json(), **service.index.in_time(found).to_json()}
        if links:
            data["links"] = service.links([found])[0].to_json()
        if neighbours:
            data["neighbours"] = to_json(service.neighbours(found, neighbours))
        return data

    return JsonResponse(with_urls(await call.read(read)))


@router.post(
    "/documents", status_code=202, openapi_extra=texts()["upload"],
    responses=responses(202, UploadResponse, "The upload is stored and will be loaded."),
)  # fmt: skip
async def upload(request: Request, call: Call = scoped("ingest")) -> JsonResponse:
    """Upload documents; a job loads them. The same upload again has the same job."""
    job = await queue(call, *await received(call, request))
    address = job_address(job.id)
    body = {"job_id": job.id, "status_url": rooted(address)}
    return JsonResponse(body, 202, headers={"Location": address})


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
    """Store the files of a form; return the ID of a job for them, what they are, and metadata."""
    state = call.state
    state.refuse_writes()
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise refusal("request.not-multipart")
    if state.jobs.counts()["queued"] >= state.options.limits.jobs_waiting:
        raise busy("limit.busy/jobs", 30)
    async with state.receiving.place(call.who):
        try:
            form = await request.form(max_files=MOST_FILES, max_fields=MOST_FILES)
        except HTTPException as error:
            if isinstance(error, Problem):
                raise
            raise refusal("request.malformed/form", why=error.detail) from None
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
    """Return the metadata of a form: fields by name, or pairs of `field` and `value`."""
    fields: dict[str, list[str]] = {}
    for name, one in form.multi_items():
        if isinstance(one, str):
            if name == "file":
                raise refusal("request.invalid/no-name")
            if name not in ("field", "value"):
                fields.setdefault(name, []).append(one)
        elif name != "file":
            raise refusal("request.invalid/file-field", name=name[:80])
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
    """Delete a document that the caller sees whole."""
    call.state.refuse_writes()

    def delete() -> None:
        from rirag.service import loading

        state = call.state
        if not state.writing.acquire(timeout=WRITE_WAIT_S):
            raise busy("index.busy", 10)
        try:
            found = document_of(call.service, document_id)
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
    """Return a document by its ID."""
    found = next((one for one in service.documents() if one.document_id == document_id), None)
    if found is None:
        raise unknown_document(document_id, service.index.url)
    return found


def passage_of(service: Service, passage_id: str) -> Passage:
    """Return a passage by its ID; a refusal does not name it: the key may not see where it is."""
    found = service.passages({"id": [passage_id]})
    if not found:
        raise refusal("passage.unknown")
    return found[0]


def place_of(cursor: str | None) -> int | None:
    """Return the number that a cursor is for; None: the beginning."""
    text = decoded(cursor)
    if text and not (text.isdecimal() and len(text) < 19):
        raise refusal("request.invalid/cursor")
    return int(text) if text else None


def encoded(place: str) -> str:
    """Return a cursor, which says nothing to those who get it."""
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def decoded(cursor: str | None) -> str:
    """Return the place that a cursor is for; empty: the beginning."""
    if not cursor:
        return ""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        return raw.decode()
    except ValueError:  # no base64, or no text
        raise refusal("request.invalid/cursor") from None
