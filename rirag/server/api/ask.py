"""`POST /v1/ask`, whole or as server-sent events, and the stored answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Body, Query
from fastapi.responses import Response

from rirag.reports.sheets.files import MEDIA_TYPES
from rirag.reports.sheets.sheet import sheet_of
from rirag.server import duties
from rirag.server.api.calls import Call, responses, scoped
from rirag.server.asking import Asked, Heard
from rirag.server.middleware import policy_of
from rirag.server.problems import refusal, told
from rirag.server.schemas import AnswerResponse, AskRequest
from rirag.server.streaming import Emit, WorkStream, event, unless_left
from rirag.server.strict import JsonResponse, StrictRoute, with_urls
from search.provisions.changes import Rules
from search.records import Passage

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer
    from search import SearchResult

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Answers"])


@router.post(
    "/ask",
    responses=responses(
        200, AnswerResponse, "The answer; a refusal is an answer too.", "text/event-stream"
    ),
)
async def ask(body: Annotated[AskRequest, Body()], call: Call = scoped("ask")) -> Response:
    """Answer a question; every statement cites its rule.

    With `stream`, the events are `plan`, `hits`, `delta`, `citation`, `verification`, `refusal`,
    and at the end `done` with what is sent without it, or `error` with a problem.
    """
    asked = Asked(**body.model_dump(exclude={"stream"}))
    call.take(asked.question, asked.profile)  # before a stream has begun
    if body.stream:
        return WorkStream(lambda emit: _streamed(call, asked, emit))
    stored = await unless_left(call.request, call.answer(asked))
    return JsonResponse(with_urls(stored.body))


async def _streamed(call: Call, asked: Asked, emit: Emit) -> None:
    def on_search(result: SearchResult) -> None:
        found = with_urls(result.to_json())
        emit(event("plan", found["plan"]))
        emit(event("hits", found["hits"]))

    def on_text(text: str) -> None:
        emit(event("delta", {"text": text}))

    try:
        stored = await call.answer(asked, Heard(on_search, on_text))
    except Exception as error:
        problem = told(error, "stream failed", request_id=call.request_id)
        emit(event("error", problem.to_json("/v1/ask")))
        return
    body = with_urls(stored.body)
    for one in body["citations"]:
        emit(event("citation", one))
    if body["verification"] is not None:
        emit(event("verification", body["verification"]))
    if body["insufficient_evidence"]:
        emit(event("refusal", {"refused_by": body["refused_by"], "text": body["Answer"]}))
    emit(event("done", body))


Changes = Sequence[Mapping[str, Any]]
Format = Literal["json", "md", "html", "docx", "xlsx"]

_STORED = responses(
    200, AnswerResponse, "The stored answer, in the requested format.", *MEDIA_TYPES.values(),
    duties.MEDIA_TYPE,
)  # fmt: skip


@router.get("/answers/{answer_id}", responses=_STORED)
async def stored_answer(
    answer_id: str,
    format: Annotated[Format, Query()] = "json",  # noqa: A002 - the parameter's name
    call: Call = scoped("ask"),
) -> Response:
    """Return a stored answer, and which of its sources have changed; as `xlsx`, its duties."""
    found = await answer_of(call, answer_id)
    changed = await asyncio.to_thread(changed_sources, call, found)
    return await in_format(found, format, changed)


async def in_format(
    found: StoredAnswer, form: Format, changed: Changes, *, saved: bool = False
) -> Response:
    """Return an answer in a format; all but HTML are files, and JSON is one if it is saved."""
    name = f"answer-{found.created[:10]}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if form == "json":
        body = with_urls({**found.body, "changed": changed})
        return JsonResponse(body, 200, headers if saved else None)
    content, media_type = await asyncio.to_thread(_exported, found, form, changed)
    if form == "html":
        headers = {"Content-Security-Policy": policy_of(content.decode())}
    return Response(content, 200, headers, media_type)


@router.delete(
    "/answers/{answer_id}", status_code=204,
    responses=responses(204, None, "The answer, its question and its feedback are deleted."),
)  # fmt: skip
async def delete_answer(answer_id: str, call: Call = scoped("ask")) -> Response:
    """Delete a stored answer of the caller; with the scope `admin`, of anybody."""
    found = await answer_of(call, answer_id)
    if not (found.maker == call.caller.name or call.caller.may("admin")):
        raise refusal("answer.unknown")
    await asyncio.to_thread(call.state.answers.delete, answer_id)
    await call.audit("delete-answer", answer_id=answer_id)
    return Response(status_code=204)


def _exported(answer: StoredAnswer, form: str, changed: Changes) -> tuple[bytes, str]:
    """Return an answer as `md`, `html`, `docx` or `xlsx`, and the media type of that."""
    from rirag.reports.sheets.files import in_form

    if form == "xlsx":
        return duties.to_xlsx(duties.of_answer(answer.body, answer.passages)), duties.MEDIA_TYPE
    index, filters = answer.body["index"], answer.body["filters"]
    chosen = [f"{name} = {' or '.join(values)}" for name, values in filters.items()]
    sheet = sheet_of(
        answer.body, answer.passages, index=f"{index['url']}, state {index['generation']}",
        given=answer.given, more={"Filters": "; ".join(chosen) or "none", "Answer ID": answer.id},
    )  # fmt: skip
    if changed:
        since = ", ".join(f"{one['passage_id']} ({one['change']})" for one in changed)
        note = f"Rules that changed since this answer was given: {since}."
        sheet = replace(sheet, text=f"{note}\n\n{sheet.text}")
    return in_form(sheet, form), MEDIA_TYPES[form]


async def answer_of(call: Call, answer_id: str) -> StoredAnswer:
    """Return a stored answer that the caller may read; another's is refused as a missing one."""
    found = await asyncio.to_thread(call.state.answers.get, answer_id, call.caller.bound)
    if found is None:
        raise refusal("answer.unknown")
    return found


def changed_sources(call: Call, stored: StoredAnswer) -> list[dict[str, Any]]:
    """Return the cited rules whose words are no longer under their number in the index.

    The document of a rule is that with its DocumentID, or else those with its title.
    """
    if not stored.passages:
        return []
    service = call.service
    now = {one.id: one for one in service.passages({"id": list(stored.passages)})}
    rules: dict[str, Rules] = {}
    changed = []
    for key, cited in stored.passages.items():
        then = Passage(
            key, cited["document_id"], cited["passage_id"], cited["passage"], kind=cited["kind"],
            breadcrumb=tuple(cited["breadcrumb"]), metadata=cited["metadata"],
        )  # fmt: skip
        if key in now and Rules([now[key]]).change_of(then) is None:
            continue
        if then.document_id not in rules:
            titles = {one.document_id: one.title for one in service.documents()}
            same = [one for one, title in titles.items() if title == cited["document_title"]]
            ids = [then.document_id] if then.document_id in titles else same
            rules[then.document_id] = Rules(service.passages({"document_id": ids}) if ids else ())
        if found := rules[then.document_id].change_of(then):
            changed.append({"id": key, "passage_id": then.passage_id, **asdict(found)})
    return changed
