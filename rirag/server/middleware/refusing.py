"""Answer a request with a problem, also from outside the application."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rirag.server.problems import MEDIA_TYPE, Problem


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a problem as the whole response: to people as a page, to programs as JSON."""
    response = await scope["app"].state.refused(Request(scope), problem)
    await response(scope, receive, send)


def problem_response(problem: Problem, instance: str) -> Response:
    """Return the response that a problem is."""
    body = json.dumps(problem.to_json(instance), ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, problem.status_code, dict(problem.headers or {}), MEDIA_TYPE)
