"""What the tools work with: a service, for one user or for whoever sends a request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from rirag.server.access.caller import CALLER, Caller
from rirag.server.access.keys import Scope
from rirag.server.options import Limits
from rirag.server.problems import Problem

if TYPE_CHECKING:
    from rirag.server.asking import Asked
    from rirag.server.state import ServerState
    from rirag.service import Service

T = TypeVar("T")


class Desk(Protocol):
    """Runs the work of a tool."""

    question_words: int
    """The most words that a question may have."""

    async def run(self, request: Any, scope: Scope, work: Callable[[Service], T]) -> T:
        """Return the result of work on what the sender of a request sees."""
        ...

    async def ask(self, request: Any, asked: Asked) -> dict[str, Any]:
        """Return the JSON form of an answer."""
        ...


class LocalDesk:
    """Serves the one user of a process; answers are not stored."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.question_words = Limits().question_words

    async def run(self, request: Any, scope: Scope, work: Callable[[Service], T]) -> T:  # noqa: ARG002
        """Return the result of work on the index."""
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

    async def run(self, request: Any, scope: Scope, work: Callable[[Service], T]) -> T:
        """Return the result of work on what the sender sees."""
        caller = _caller(request)
        caller.need(scope)
        return await self._state.searching.run(
            caller.name, lambda: work(self._state.service_for(caller))
        )

    async def ask(self, request: Any, asked: Asked) -> dict[str, Any]:
        """Return the JSON form of an answer, which is stored."""
        from rirag.server.asking import answer

        stored = await answer(self._state, _caller(request), asked)
        return dict(stored.body)


def _caller(request: Any) -> Caller:
    found = getattr(request, "scope", {}).get(CALLER)
    if not isinstance(found, Caller):
        raise Problem("key.missing", "the caller is unknown.")
    return found
