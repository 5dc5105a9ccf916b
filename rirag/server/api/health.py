"""Whether the server lives, is ready, and what it counts."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from rirag.server.api.calls import Call, responses, scoped, state_of
from rirag.server.metrics import CONTENT_TYPE
from rirag.server.problems import Problem
from rirag.server.schemas import ReadinessResponse
from rirag.server.strict import JsonResponse, StrictRoute

router = APIRouter(route_class=StrictRoute, tags=["Operation"])


@router.get("/livez", responses=responses(200, None, "The server answers.", "text/plain"))
async def live() -> PlainTextResponse:
    """Say that the server answers; nothing is checked."""
    return PlainTextResponse("ok")


_READY = responses(200, ReadinessResponse, "Everything works.")
_READY[503] = {"description": "Something does not work.", "model": ReadinessResponse}


@router.get("/readyz", responses=_READY)
async def ready(request: Request) -> JsonResponse:
    """Say whether index, models and job queue are usable."""
    found = await asyncio.to_thread(state_of(request).readiness)
    return JsonResponse(found, 200 if found["ready"] else 503)


@router.get(
    "/metrics",
    responses=responses(200, None, "Metrics in the text format of Prometheus.", "text/plain"),
)
async def metrics(call: Call = scoped("admin")) -> Response:
    """Return what is counted and timed; with keys, the scope `admin` without filters is needed."""
    if call.caller.filters:
        raise Problem(
            "key.scope",
            "the metrics count everybody's requests; they need a key without filters.",
            scope="admin",
        )
    text = await asyncio.to_thread(call.state.metrics_text)
    return Response(text, media_type=CONTENT_TYPE)
