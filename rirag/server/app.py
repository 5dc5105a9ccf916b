"""The ASGI application: routes, refusals, and what every request passes before them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.routing import Match
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from rirag.plain_errors import plain_error
from rirag.server.access.caller import Caller
from rirag.server.api import ask, chat, documents, feedback, health, jobs, search, verify
from rirag.server.api.calls import state_of
from rirag.server.mcp.over_http import McpEndpoint
from rirag.server.middleware.bodies import BodyLimits, HeadAsGet
from rirag.server.middleware.headers import SecurityHeaders
from rirag.server.middleware.hosts import HostCheck
from rirag.server.middleware.observed import Observed
from rirag.server.middleware.public import PublicAddress
from rirag.server.openapi import openapi, operation_id
from rirag.server.options import ServeOptions
from rirag.server.pages import asking, reading, running, searching, uploading
from rirag.server.pages.render import page
from rirag.server.pages.visiting import SignInNeededError
from rirag.server.problems import Problem, invalid, problem_of, problem_response
from rirag.server.state import ServerState
from rirag.settings import Settings
from search.errors import RiragError

LOG = logging.getLogger("rirag.server")

PAGES = (searching, asking, reading, uploading, running)
NO_PAGES = ("/v1/", "/mcp", "/livez", "/readyz", "/metrics", "/openapi.json", "/parts/", "/static/")
NOT_COMPRESSED = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/json", "application/problem+json")
"""Besides pages and static files, which are: JSON must be quick, and streams arrive in pieces."""

OPENAI = ("/v1/chat/completions", "/v1/models")
"""What addresses in OpenAI's form begin with."""

READABLE = ("Location", "Mcp-Session-Id", "Retry-After", "WWW-Authenticate", "X-Request-ID")
"""Headers of responses that programs in browsers may read."""

FOLDER = Path(__file__).parent / "static"

API = (health, search, ask, verify, documents, jobs, feedback, chat)


class CachedStaticFiles(StaticFiles):
    """Serves the files of the page; their address changes with their content, so whoever
    asks with a version may keep a file for a year.
    """

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file."""
        versioned = scope.get("query_string", b"").startswith(b"v=")

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in (200, 304):
                age = "public, max-age=31536000, immutable" if versioned else "no-cache"
                MutableHeaders(scope=message)["Cache-Control"] = age
            await send(message)

        await super().__call__(scope, receive, sent)


def create_app(settings: Settings, options: ServeOptions | None = None) -> FastAPI:
    """Return the application over the index of the settings.

    Raises:
        RiragError: keys, data folder or audit file cannot be used, or the address would be open to
            everybody.
    """
    state = ServerState(settings, options or ServeOptions())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await state.open()
        try:
            yield
        finally:
            await state.release()
            await asyncio.to_thread(state.close)

    app = FastAPI(
        title="rirag", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan,
        redirect_slashes=False, generate_unique_id_function=operation_id,
    )  # fmt: skip
    app.state.server = state
    for module in (*API, *PAGES):
        app.include_router(module.router)
    app.mount("/static", CachedStaticFiles(), name="static")
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]
    app.state.refused = refused
    _add_refusals(app)
    # The last one added is the outermost.
    app.add_middleware(HeadAsGet)
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
    app.add_middleware(SecurityHeaders)
    app.add_middleware(PublicAddress, options=state.options)
    return app


def _add_refusals(app: FastAPI) -> None:
    @app.exception_handler(RiragError)
    async def of_library(request: Request, error: RiragError) -> Response:
        return await refused(request, problem_of(error))

    @app.exception_handler(RequestValidationError)
    async def of_request(request: Request, error: RequestValidationError) -> Response:
        found = [(_field(one["loc"]), plain_error(one)) for one in error.errors()]
        return await refused(request, invalid(found))

    @app.exception_handler(SignInNeededError)
    async def of_visitor(_: Request, error: SignInNeededError) -> Response:
        return RedirectResponse(error.address, 303)

    @app.exception_handler(HTTPException)
    async def of_framework(request: Request, error: HTTPException) -> Response:
        if request.url.path.startswith("/v1/"):  # whoever has no key learns nothing else
            try:
                state_of(request).gate.caller(request)
            except Problem as refusal:
                return await refused(request, refusal)
        found = error if isinstance(error, Problem) else _framework(error)
        if found.status_code == 405:  # the framework names the methods of one route alone
            found.headers = {"Allow": ", ".join(_methods(request))}
        return await refused(request, found)


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
    routes = (one for module in (*API, *PAGES) for one in module.router.routes)
    found = [one for one in routes if one.matches(request.scope)[0] != Match.NONE]
    return sorted({method for one in found for method in getattr(one, "methods", None) or ()})


def _framework(error: HTTPException) -> Problem:
    codes = {404: "request.not-found", 405: "request.method", 413: "request.too-large"}
    details = {
        404: "this address does not exist.",
        405: "this address does not support this method.",
    }
    code = codes.get(error.status_code, "request.malformed")
    detail = details.get(error.status_code, str(error.detail))
    return Problem(code, detail, status=error.status_code, headers=error.headers)
