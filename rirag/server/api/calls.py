"""What an endpoint or page gets of a request: the server's state, who asks, and ways to work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from rirag.server.access.caller import Caller
from rirag.server.access.keys import Scope
from rirag.server.addresses import DAY
from rirag.server.asking import NOTHING, Asked, Heard, check_question, identity, stored_form
from rirag.server.openapi import texts
from rirag.server.problems import refusal
from rirag.server.schemas import ProblemResponse
from rirag.server.state import ServerState
from rirag.server.storage.answers import StoredAnswer
from rirag.server.work import Slots
from rirag.service.query import asked_day_of
from search.law_in_time import ask_of

if TYPE_CHECKING:
    from rirag.service import Answered, Service
    from search import SearchResult

T = TypeVar("T")
Work = Callable[["Service"], T]


def responses(
    status: int, model: type | None, description: str, *media_types: str
) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI says of the responses of an endpoint: JSON of a model, and others."""
    success: dict[str, Any] = {"description": description}
    if model is not None:
        success["model"] = model
    if media_types:
        success["content"] = {one: {} for one in media_types}
    problem = deepcopy(texts()["problem"])
    return {status: success, "4XX": {**problem, "model": ProblemResponse}, "5XX": problem}


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

    @property
    def service(self) -> Service:
        """The service over what the caller may see; the first time, it is opened."""
        return self.state.service_for(self.caller.bound)

    async def audit(self, what: str, **facts: Any) -> None:
        """Write a line to the audit file, if there is one."""
        if self.state.audit.path is None:
            return
        await asyncio.to_thread(
            self.state.audit.write, self.caller.name, what, request_id=self.request_id, **facts
        )

    def take(self, question: str, profile: str | None = None) -> None:
        """Let a question in, and add it to the line of the log where questions are logged."""
        check_question(self.state, question, profile)
        if self.caller.is_visitor and self.caller.key is not None:
            self.state.gate.rates.take(self.caller.key)
        self.request.scope["state"].setdefault("log", {}).update(self.state.logged(question))

    async def read(self, work: Work[T]) -> T:
        """Return what a function reads of what the caller sees, without waiting for searches."""
        return await self._run(self.state.reading, work)

    async def search(self, work: Work[T]) -> T:
        """Return what a function searches in what the caller sees, in the line of searches."""
        return await self._run(self.state.searching, work)

    async def _run(self, slots: Slots, work: Work[T]) -> T:
        done = slots.run(self.who, lambda: work(self.service))
        return await self.within(self.state.options.limits.request_seconds, done)

    async def found(self, asked: Asked, work: Callable[[Service], tuple[SearchResult, T]]) -> T:
        """Return what is made of a search, which is audited."""
        result, made = await self.search(work)
        await self.audit(
            "search", generation=result.plan.generation, hits=len(result.hits),
            **self.state.logged(asked.question),
        )  # fmt: skip
        return made

    async def answer(
        self, asked: Asked, heard: Heard = NOTHING, *, reuse: bool = False
    ) -> StoredAnswer:
        """Answer a question and store the answer.

        Args:
            asked: the question.
            heard: what listens.
            reuse: whether an answer to the same question, on the same state of the index and with
                the same settings, is given again instead of a second one being stored.
        """
        state, caller = self.state, self.caller
        caller.need("ask")
        check_question(state, asked.question, asked.profile)
        if state.stopping:
            raise refusal("server.stopping", again="ask")
        service = await asyncio.to_thread(lambda: self.service)
        same = identity(service, asked, caller.bound)
        async with state.one_at_a_time(same) if reuse else nullcontext():
            known = await asyncio.to_thread(state.answers.same, same) if reuse else None
            if known is not None:
                return known
            with state.gate.rates.answer(caller.key):
                answered = await self._answered(service, asked, heard)
            stored = await asyncio.to_thread(
                state.answers.add, *stored_form(answered, asked.filters), maker=caller.name,
                bound=caller.bound, same=same,
            )  # fmt: skip
        outcome = str(stored.body["refused_by"] or "answered")
        state.metrics.answer(str(stored.body["mode"]), outcome)
        await self.audit(
            "ask", answer_id=stored.id, outcome=outcome, **stored.body["index"],
            **state.logged(asked.question),
        )  # fmt: skip
        return stored

    async def _answered(self, service: Service, asked: Asked, heard: Heard) -> Answered:
        """Return an answer that was made within the limits."""
        from generation import AnswerContext

        places = [self.state.answering]
        if (asked.mode or service.settings.answer_mode) == "extractive":
            places.append(self.state.searching)  # it keeps a processor busy, as a search does
        seconds = self.state.options.limits.answer_seconds
        context = AnswerContext(background=asked.background, topic=asked.topic)
        async with AsyncExitStack() as line:
            for one in places:
                await line.enter_async_context(one.place(self.caller.name))
            work = service.answer_async(
                asked.query(), mode=asked.mode, context=context, **heard._asdict()
            )
            return await self.within(seconds, work, "answer")

    async def within(self, seconds: float, work: Awaitable[T], name: str = "work") -> T:
        """Await work, but no longer than a limit."""
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError:
            raise refusal("request.timeout", work=name, seconds=seconds) from None


def state_of(request: Request) -> ServerState:
    """Return the state of the server that got a request."""
    state: ServerState = request.app.state.server
    return state


class ElsewhereError(HTTPException):
    """The reader of a page is sent to another address."""

    def __init__(self, address: str) -> None:
        super().__init__(303, address)
        self.address = address


def scoped(*scopes: Scope) -> Any:
    """Return a dependency: the call of someone who has one of the scopes; none: any key will do."""

    async def call(request: Request) -> Call:
        return _allowed(request, state_of(request).gate.caller(request), scopes)

    return Depends(call)


def visiting(*scopes: Scope) -> Any:
    """Return a dependency: the same of who looks at a page; who is not signed in is sent there."""

    async def call(request: Request) -> Call:
        caller = state_of(request).gate.visitor(request)
        if caller is None:
            here = request.url.replace(scheme="", netloc="", fragment="")
            wanted = str(here) if request.method == "GET" else "/"
            raise ElsewhereError("/signin?" + urlencode({"next": wanted}))
        request.state.caller = caller
        keep_day(**{name: request.query_params.get(name, "") for name in ("as_of", "version")})
        return _allowed(request, caller, scopes)

    return Depends(call)


def keep_day(as_of: str = "", version: str = "") -> None:
    """Let what is read for a page be of a day or a version, and its links lead there."""
    ask_of(asked_day_of(as_of, version))
    named = {"as_of": as_of, "version": version}
    DAY.set({name: value for name, value in named.items() if value})


def _allowed(request: Request, caller: Caller, scopes: Sequence[Scope]) -> Call:
    request.scope["state"].setdefault("log", {})["key"] = caller.name
    if scopes and not any(caller.may(scope) for scope in scopes):
        caller.need(scopes[0])
    return Call(request, state_of(request), caller)
