"""What an endpoint gets of a request: the server's state and who asks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import Depends, Request

from rirag.server.access.caller import Caller
from rirag.server.access.keys import Scope
from rirag.server.asking import check_question
from rirag.server.problems import Problem
from rirag.server.schemas import ProblemResponse
from rirag.server.state import ServerState

T = TypeVar("T")

PROBLEM: dict[str, Any] = {
    "description": "A refusal; `code` gives the reason (see /docs).",
    "content": {
        "application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemResponse"}}
    },
}


def responses(
    status: int, model: type | None, description: str, media_type: str = "application/json"
) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI says of the responses of an endpoint."""
    success: dict[str, Any] = {"description": description}
    if model is not None and media_type == "application/json":
        success["model"] = model
    elif model is None and status != 204:
        success["content"] = {media_type: {}}
    return {status: success, "4XX": {**PROBLEM, "model": ProblemResponse}, "5XX": PROBLEM}


@dataclass(frozen=True, slots=True)
class Call:
    """One request that is allowed."""

    request: Request
    state: ServerState
    caller: Caller

    @property
    def request_id(self) -> str:
        """The ID under which the log has it."""
        return str(self.request.scope.get("state", {}).get("request_id", ""))

    @property
    def who(self) -> str:
        """Whose turn it is in a line: a key, at an address."""
        return f"{self.caller.name} {self.request.client.host if self.request.client else ''}"

    async def audit(self, what: str, **facts: Any) -> None:
        """Write a line to the audit file, if there is one."""
        if self.state.audit.path is None:
            return
        await asyncio.to_thread(
            self.state.audit.write, self.caller.name, what, request_id=self.request_id, **facts
        )

    def take(self, question: str, profile: str | None = None) -> None:
        """Let a question in, and add it to the line of the log where questions are logged.

        Raises:
            Problem: it is too long, no profile has the name, or the key asks too often.
        """
        check_question(self.state, question, profile)
        if self.caller.is_visitor and self.caller.key is not None:
            self.state.gate.rates.take(self.caller.key)
        self.request.scope["state"].setdefault("log", {}).update(self.state.logged(question))

    async def within(self, seconds: float, work: Awaitable[T]) -> T:
        """Await work, but no longer than a limit.

        Raises:
            Problem: it took longer.
        """
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            raise Problem(
                "request.timeout", f"the work took longer than {seconds:g} s and was stopped."
            ) from None


def state_of(request: Request) -> ServerState:
    """Return the state of the server that got a request."""
    state: ServerState = request.app.state.server
    return state


def scoped(*scopes: Scope) -> Any:
    """Return a dependency: the call of someone who has one of the scopes; none: any key will do."""

    async def call(request: Request) -> Call:
        state = state_of(request)
        caller = state.gate.caller(request)
        request.scope["state"].setdefault("log", {})["key"] = caller.name
        if scopes and not any(caller.may(scope) for scope in scopes):
            caller.need(scopes[0])
        return Call(request, state, caller)

    return Depends(call)
