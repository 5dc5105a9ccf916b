"""What the tools work with: a service, for one user or for whoever sends a request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from rirag.server.access.caller import CALLER, Caller
from rirag.server.access.keys import Scope
from rirag.server.api.calls import Call
from rirag.server.options import Limits
from rirag.server.problems import refusal

if TYPE_CHECKING:
    from rirag.server.asking import Asked
    from rirag.server.state import ServerState
    from rirag.service import Service

T = TypeVar("T")


class LocalDesk:
    """Serves the one user of a process; answers are not stored."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.question_words = Limits().question_words

    async def run(
        self, _request: Any, _scope: Scope, work: Callable[[Service], T], *, searches: bool = False
    ) -> T:
        """Return the result of work on the index, in whichever line."""
        del searches
        return await asyncio.to_thread(work, self._service)

    async def ask(self, request: Any, asked: Asked) -> dict[str, Any]:  # noqa: ARG002
        """Return the JSON form of an answer."""
        answered = await self._service.answer_async(asked.query(), mode=asked.mode)
        return answered.to_json()


class ServerDesk:
    """Serves whoever sends requests to a server, within its limits."""

    def __init__(self, state: ServerState) -> None:
        self._state = state
        self.question_words = state.options.limits.question_words

    async def run(
        self, request: Any, scope: Scope, work: Callable[[Service], T], *, searches: bool = False
    ) -> T:
        """Return the result of work on what the sender sees."""
        call = self._call(request)
        call.caller.need(scope)
        return await (call.search(work) if searches else call.read(work))

    async def ask(self, request: Any, asked: Asked) -> dict[str, Any]:
        """Return the JSON form of an answer, which is stored."""
        return dict((await self._call(request).answer(asked)).body)

    def _call(self, request: Any) -> Call:
        caller = getattr(request, "scope", {}).get(CALLER)
        if not isinstance(caller, Caller):
            raise refusal("key.missing/tool")
        return Call(request, self._state, caller)


Desk = LocalDesk | ServerDesk
