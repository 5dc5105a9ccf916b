"""Who looks at a page: someone signed in, the local user, or nobody, who is sent to sign in."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from rirag.server.access.caller import Caller
from rirag.server.access.keys import Scope
from rirag.server.api.calls import Call, state_of
from rirag.server.problems import refuse_not_yet


class SignInNeededError(HTTPException):
    """Nobody is signed in; `address` is where to go instead."""

    def __init__(self, request: Request) -> None:
        wanted = request.url.path if request.method == "GET" else "/"
        query = f"?{request.url.query}" if request.method == "GET" and request.url.query else ""
        super().__init__(303, "sign in")
        self.address = "/signin?" + urlencode({"next": wanted + query})


def visiting(*scopes: Scope) -> Any:
    """Return a dependency: the call of a visitor who has one of the scopes; none: any will do."""

    async def call(request: Request) -> Call:
        refuse_not_yet(request.query_params)
        state = state_of(request)
        caller: Caller | None = state.gate.visitor(request)
        if caller is None:
            raise SignInNeededError(request)
        request.state.caller = caller
        request.scope["state"].setdefault("log", {})["key"] = caller.name
        if scopes and not any(caller.may(scope) for scope in scopes):
            caller.need(scopes[0])
        return Call(request, state, caller)

    return Depends(call)
