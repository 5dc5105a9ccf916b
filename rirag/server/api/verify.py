"""`POST /v1/verify`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body

from rirag.server.api.calls import Call, responses, scoped
from rirag.server.problems import Problem
from rirag.server.schemas import VerificationResponse, VerifyRequest
from rirag.server.streaming import unless_left
from rirag.server.strict import JsonResponse, StrictRoute

if TYPE_CHECKING:
    from rirag.service import Service

router = APIRouter(prefix="/v1", route_class=StrictRoute, tags=["Answers"])


@router.post(
    "/verify", responses=responses(200, VerificationResponse, "The verdict on each statement.")
)
async def verify(
    body: Annotated[VerifyRequest, Body()], call: Call = scoped("ask")
) -> JsonResponse:
    """Check each statement of an answer against the passages that it cites."""
    answer = body.model_dump()
    seconds = call.state.options.limits.request_seconds
    work = call.state.searching.run(
        call.who, lambda: verified(call.state.service_for(call.caller), answer)
    )
    return JsonResponse(await call.within(seconds, unless_left(call.request, work)))


def verified(service: Service, answer: dict[str, Any]) -> dict[str, Any]:
    """Return what `rirag verify --json` prints of an answer that holds its passages.

    Raises:
        Problem: it is not an answer.
    """
    from rirag.inputs.answer_records import answer_of

    try:
        record = answer_of(answer, Path("answer"), 1)
    except ValueError as error:
        raise Problem("request.invalid", str(error)) from None
    lacking = [one.id for one in record.cited if one.text is None]
    if lacking:  # such as a definition that was cited and not retrieved
        held = {one.id: one.text for one in service.passages({"id": lacking})}
        cited = (replace(one, text=one.text or held.get(one.id)) for one in record.cited)
        record = replace(record, cited=tuple(cited))
    return service.verify(record).to_json()
