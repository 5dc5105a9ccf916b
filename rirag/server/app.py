"""The ASGI application: routes, refusals, and what every request passes before them."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, RedirectResponse
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.routing import Match
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from rirag.server.access.caller import Caller
from rirag.server.api import ask, chat, documents, feedback, jobs, search
from rirag.server.api.calls import Call, ElsewhereError, responses, scoped, state_of
from rirag.server.mcp.over_http import McpEndpoint
from rirag.server.middleware import (
    BodyLimits,
    HostCheck,
    Observed,
    PublicAddress,
)
from rirag.server.openapi import openapi, operation_id
from rirag.server.options import ServeOptions
from rirag.server.pages import asking, reading, running, searching, uploading, versions
from rirag.server.pages.render import page
from rirag.server.problems import Problem, invalid, problem_of, problem_response, refusal
from rirag.server.schemas import ReadinessResponse
from rirag.server.state import ServerState
from rirag.server.strict import JsonResponse, StrictRoute
from rirag.settings import Settings
from search.errors import RiragError
from search.messages.plain_errors import plain_error

LOG = logging.getLogger("rirag.server")

NO_PAGES = ("/v1/", "/mcp", "/livez", "/readyz", "/metrics", "/openapi.json", "/parts/", "/static/")
NOT_COMPRESSED = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/json", "application/problem+json")
"""Besides pages and static files, which are: JSON must be quick, and streams arrive in pieces."""

OPENAI = ("/v1/chat/completions", "/v1/models")
"""What addresses in OpenAI's form begin with."""

READABLE = ("Location", "Mcp-Session-Id", "Retry-After", "WWW-Authenticate", "X-Request-ID")
"""Headers of responses that programs in browsers may read."""

FOLDER = Path(__file__).parent / "static"

router = APIRouter(route_class=StrictRoute, tags=["Operation"])
API = (search, ask, documents, jobs, feedback, chat)
PAGES = (searching, asking, reading, versions, uploading, running)
ROUTERS = (router, *(module.router for module in (*API, *PAGES)))


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
        raise refusal("key.scope/metrics", scope="admin")
    text = await asyncio.to_thread(call.state.metrics_text)
    return Response(text, media_type=CONTENT_TYPE_LATEST)


class CachedStaticFiles(StaticFiles):
    """Serves the files of the page; their address changes with their content, so whoever
    asks with a version may keep a file for a year.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        found = await super().get_response(path, scope)
        versioned = scope.get("query_string", b"").startswith(b"v=")
        age = "public, max-age=31536000, immutable" if versioned else "no-cache"
        found.headers["Cache-Control"] = age
        return found


def create_app(settings: Settings, options: ServeOptions | None = None) -> FastAPI:
    """Return the application over the index of the settings.

    Raises:
        RiragError: keys, data folder or audit file cannot be used, or the address would be open to
            everybody.
    """
    state = ServerState(settings, options or ServeOptions())
    app = FastAPI(
        title="rirag", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False,
        lifespan=lambda _: state.running(), generate_unique_id_function=operation_id,
    )  # fmt: skip
    app.state.server = state
    for one in ROUTERS:
        app.include_router(one)
    app.mount("/static", CachedStaticFiles(directory=FOLDER), name="static")
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]
    app.state.refused = refused
    for kind in (RiragError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _of_error)
    # The last one added is the outermost.
    app.add_middleware(GZipMiddleware, compresslevel=3, exclude_content_types=NOT_COMPRESSED)
    app.add_middleware(McpEndpoint, state=state)
    app.add_middleware(BodyLimits, limits=state.options.limits)
    app.add_middleware(HostCheck, options=state.options)
    app.add_middleware(Observed, metrics=state.metrics)
    if state.options.origins:  # without allow_credentials: the cookie is never sent
        app.add_middleware(
            CORSMiddleware, allow_origins=state.options.origins, allow_methods=("*",),
            allow_headers=("*",), expose_headers=READABLE, allow_private_network=True,
        )  # fmt: skip
    app.add_middleware(PublicAddress, options=state.options)
    return app


async def _of_error(request: Request, error: Any) -> Response:
    """Return the response to a request that ended in an error."""
    if isinstance(error, ElsewhereError):
        return RedirectResponse(error.address, 303)
    if isinstance(error, RiragError):
        return await refused(request, problem_of(error))
    if isinstance(error, RequestValidationError):
        found = [(_field(one["loc"]), plain_error(one)) for one in error.errors()]
        return await refused(request, invalid(found))
    if request.url.path.startswith("/v1/"):  # whoever has no key learns nothing else
        try:
            state_of(request).gate.caller(request)
        except Problem as problem:
            return await refused(request, problem)
    answer = error if isinstance(error, Problem) else _framework(error)
    if answer.status_code == 405:  # the framework names the methods of one route alone
        answer.headers = {"Allow": ", ".join(_methods(request))}
    return await refused(request, answer)


async def refused(request: Request, problem: Problem) -> Response:
    """Return the response that a refusal is."""
    if problem.status_code >= 500:
        state: dict[str, Any] = request.scope.get("state", {})
        LOG.error(
            "refused",
            extra={"code": problem.code, "request_id": state.get("request_id"),
                   "detail": problem.detail},
        )  # fmt: skip
    if _is_page(request):
        if not hasattr(request.state, "caller"):
            request.state.caller = _visitor(request)
        waits = problem.fields.get("retry_after", 0) if request.method == "GET" else 0
        shown = page(request, "problem.html", problem.status_code, problem=problem, waits=waits)
        shown.headers.update(problem.headers or {})
        if waits:  # by the header, which needs neither script nor element
            shown.headers["Refresh"] = str(waits)
        return shown
    if request.url.path.startswith(OPENAI):  # its clients read it there
        problem.fields.setdefault("error", chat.openai_error(problem))
    return problem_response(problem, request.url.path)


def _visitor(request: Request) -> Caller | None:
    """Return who looks at a page that does not exist, whose menu is theirs."""
    try:
        return state_of(request).gate.visitor(request)
    except Problem:
        return None


def _is_page(request: Request) -> bool:
    """Return whether a person is to read what is refused."""
    path = request.url.path
    return not path.startswith(NO_PAGES) and "text/html" in request.headers.get("accept", "")


def _field(place: tuple[Any, ...]) -> str:
    """Return the name of a field as the client wrote it."""
    return ".".join(str(part)[:80] for part in place[1:]) or str(place[0])


def _methods(request: Request) -> list[str]:
    """Return the methods that an address supports."""
    routes = (route for one in ROUTERS for route in one.routes)
    found = [one for one in routes if one.matches(request.scope)[0] != Match.NONE]
    return sorted({method for one in found for method in getattr(one, "methods", None) or ()})


def _framework(error: HTTPException) -> Problem:
    names = {404: "request.not-found", 405: "request.method"}
    name = names.get(error.status_code, "request.malformed/other")
    return refusal(name, status=error.status_code, headers=error.headers, why=error.detail)
