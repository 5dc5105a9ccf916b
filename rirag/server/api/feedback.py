"""Feedback on stored answers."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response

from rirag.server.api.ask import answer_of
from rirag.server.api.calls import Call, responses, scoped
from rirag.server.api.documents import Cursor, Limit
from rirag.server.api.jobs import page_of
from rirag.server.problems import refusal
from rirag.server.schemas import FeedbackRequest, FeedbackResponse
from rirag.server.storage.answers import COLUMNS, FeedbackEntry
from rirag.server.strict import JsonResponse, StrictRoute
from search.json_form import to_json

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Answers"])

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


@router.post(
    "/feedback", status_code=204, responses=responses(204, None, "The feedback is stored.")
)
async def give_feedback(
    body: Annotated[FeedbackRequest, Body()], call: Call = scoped("ask")
) -> Response:
    """Say whether an answer is right."""
    await kept(call, body)
    return Response(status_code=204)


async def kept(call: Call, body: FeedbackRequest) -> None:
    """Keep feedback on an answer that the caller may read."""
    found = await answer_of(call, body.answer_id)
    marker = _marker(body.citation, found.body["citations"])
    await asyncio.to_thread(
        call.state.feedback.add, found.id, body.verdict, marker, body.comment,
        call.caller.name,
    )  # fmt: skip
    await call.audit("feedback", answer_id=found.id, verdict=body.verdict)


def _marker(citation: str | int, citations: Sequence[Mapping[str, Any]]) -> str:
    """Return the marker of a citation that is given by its marker, number or passage."""
    said = str(citation)
    for one in citations if said else ():
        if said in (one["marker"], one["marker"].strip("[]"), one["id"]):
            return str(one["marker"])
    if said:
        raise refusal("request.invalid/citation", field="citation")
    return ""


@router.get(
    "/feedback",
    responses=responses(200, FeedbackResponse, "A page of feedback, newest first.", "text/csv"),
)
async def list_feedback(
    request: Request,
    limit: Limit = 100,
    cursor: Cursor = None,
    format: Annotated[Literal["json", "csv"] | None, Query()] = None,  # noqa: A002 - its name
    call: Call = scoped("admin"),
) -> Response:
    """List feedback, newest first, as JSON or CSV; `Accept: text/csv` chooses CSV, too."""
    page, after = await page_of(call.state.feedback, limit, cursor, call.caller.bound)
    entries = [entry for _, entry in page]
    accepts_csv = request.headers.get("accept", "").startswith("text/csv")
    if format == "csv" or (format is None and accepts_csv):
        return csv_of(entries, after)
    return JsonResponse({"feedback": to_json(entries), "next": after})


def csv_of(entries: Iterable[FeedbackEntry], after: str | None = None) -> Response:
    """Return feedback as a CSV file in which no cell is a formula; `after` begins the next one."""
    output = io.StringIO()
    writer = csv.writer(output)
    writer.writerow(COLUMNS)
    for entry in entries:
        values = map(str, entry.to_json().values())
        writer.writerow(f"'{v}" if v.startswith(FORMULA) else v for v in values)
    headers = {"Content-Disposition": 'attachment; filename="feedback.csv"'}
    headers |= {"X-Next-Cursor": after} if after else {}
    return Response(output.getvalue(), 200, headers, "text/csv")
