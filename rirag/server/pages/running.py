"""Pages of who runs the server: administration, signing in, the API's description."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from rirag.server.access.caller import COOKIE, SESSION_SECONDS
from rirag.server.addresses import ROOT
from rirag.server.api.calls import Call, state_of, visiting
from rirag.server.api.feedback import csv_of
from rirag.server.pages.render import page
from rirag.server.problems import refusals
from rirag.server.strict import JsonResponse

router = APIRouter(include_in_schema=False)

NEWEST = 50
MOST_CSV = 100_000


@router.get("/admin")
async def admin(request: Request, call: Call = visiting("admin")) -> HTMLResponse:
    """Show jobs, answers, feedback, keys and audit."""
    state, bound = call.state, call.caller.bound

    def read() -> dict[str, Any]:
        keys = state.gate.keys
        return {
            "jobs": state.jobs.page(NEWEST, None, bound),
            "answers": state.answers.page(NEWEST, None, bound),
            "feedback": state.feedback.page(NEWEST, None, bound),
            "keys": () if keys is None or bound else keys.keys(),
            "audit": [] if bound else state.audit.newest(NEWEST),
        }

    return page(request, "admin.html", **await asyncio.to_thread(read))


@router.get("/admin/feedback.csv")
async def feedback(call: Call = visiting("admin")) -> Response:
    """Give all feedback as CSV."""
    rows = await asyncio.to_thread(call.state.feedback.page, MOST_CSV, None, call.caller.bound)
    return csv_of(entry for _, entry in rows)


@router.get("/signin")
async def sign_in_form(request: Request) -> HTMLResponse:
    """Show the form for a key."""
    wanted = _here(request.query_params.get("next", "/"))
    return page(request, "signin.html", next=wanted, wrong=False)


@router.post("/signin")
async def sign_in(
    request: Request,
    key: Annotated[str, Form(max_length=500)],
    next: Annotated[str, Form()] = "/",  # noqa: A002
) -> Response:
    """Begin a session for a key."""
    gate = state_of(request).gate
    found = gate.keys.find(key.strip()) if gate.keys is not None else None
    if found is None:
        return page(request, "signin.html", 401, next=_here(next), wrong=True)
    gate.rates.take(found)
    response = RedirectResponse(_here(next), 303)
    response.set_cookie(
        COOKIE, gate.sessions.start(found), max_age=SESSION_SECONDS, httponly=True,
        samesite="lax", secure=request.url.scheme == "https", path=ROOT.get() or "/",
    )  # fmt: skip
    return response


@router.post("/signout")
async def sign_out(request: Request) -> Response:
    """End the session."""
    state_of(request).gate.sessions.end(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/signin", 303)
    response.delete_cookie(COOKIE, path=ROOT.get() or "/")
    return response


def _here(address: str) -> str:
    """Return an address of this server; another one becomes the first page."""
    is_ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_ours and address.isprintable() and "\\" not in address else "/"


@router.get("/openapi.json")
async def description(request: Request) -> JsonResponse:
    """Give the OpenAPI description to someone who is signed in, or has a key."""
    gate = state_of(request).gate
    if gate.visitor(request) is None:
        gate.caller(request)  # refuses: programs have no use for the form to sign in
    servers = {"servers": [{"url": ROOT.get()}]} if ROOT.get() else {}
    return JsonResponse({**request.app.openapi(), **servers})


@router.get("/docs")
async def docs(request: Request, _: Call = visiting()) -> HTMLResponse:
    """Show the API's description, and the codes of refusals."""
    return page(request, "docs.html", schema=request.app.openapi(), refusals=refusals())
