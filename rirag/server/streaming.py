"""Server-sent events of work that continues while they are sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from rirag.server.strict import json_text

T = TypeVar("T")

HEARTBEAT_S = 15.0
HEARTBEAT = b": still there\n\n"

Emit = Callable[[bytes], None]
"""Sends a piece of the stream; in the event loop only."""

Work = Callable[[Emit], Awaitable[None]]


def event(name: str, data: object) -> bytes:
    """Return a named event; JSON has no line ends, so that nothing can begin another event."""
    return f"event: {name}\ndata: {json_text(data)}\n\n".encode()


def data_only(data: object) -> bytes:
    """Return an event without a name, as OpenAI's clients read them."""
    return f"data: {json_text(data)}\n\n".encode()


class WorkStream(StreamingResponse):
    """Sends what work emits, as it does; a client that leaves cancels the work."""

    def __init__(
        self,
        work: Work,
        media_type: str = "text/event-stream",
        headers: Mapping[str, str] | None = None,
        heartbeat: bytes = HEARTBEAT,
        heartbeat_s: float = HEARTBEAT_S,
        on_close: Callable[[], object] = lambda: None,
    ) -> None:
        self._work = work
        self._heartbeat = heartbeat
        self._heartbeat_s = heartbeat_s
        self._on_close = on_close
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.emit: Emit = self._queue.put_nowait
        """Keeps a piece until the stream begins, or sends it."""
        self._sent = self._pieces()
        # Proxies must not gather what is to arrive piece by piece.
        headers = {**(headers or {}), "X-Accel-Buffering": "no"}
        super().__init__(self._sent, 200, headers, media_type)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream until the work ends or the client leaves."""
        # As of 2.4 a server tells by an error of `send` that a client has left; uvicorn does not.
        scope = {**scope, "asgi": {**scope.get("asgi", {}), "spec_version": "2.3"}}
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._on_close()
            await self._sent.aclose()

    async def _pieces(self) -> AsyncGenerator[bytes]:
        working = asyncio.ensure_future(self._work(self.emit))
        working.add_done_callback(lambda _: self._queue.put_nowait(None))
        try:
            while True:
                try:
                    piece = await asyncio.wait_for(self._queue.get(), self._heartbeat_s)
                except TimeoutError:
                    yield self._heartbeat
                    continue
                if piece is None:
                    break
                yield piece
            working.result()
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)


async def unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Await work, and cancel it when the client leaves."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(request.receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
