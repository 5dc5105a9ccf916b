"""Server-sent events of work that continues while they are sent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
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


class WorkStream(Response):
    """Sends what work emits, as it does; a client that leaves cancels the work."""

    def __init__(
        self,
        work: Work,
        media_type: str = "text/event-stream",
        headers: Mapping[str, str] | None = None,
        heartbeat: bytes = HEARTBEAT,
        heartbeat_s: float = HEARTBEAT_S,
        on_close: Callable[[], object] | None = None,
    ) -> None:
        self._work = work
        self._heartbeat = heartbeat
        self._heartbeat_s = heartbeat_s
        self._on_close = on_close
        super().__init__(None, 200, dict(headers or {}), media_type)
        # Proxies must not gather what is to arrive piece by piece.
        self.headers["X-Accel-Buffering"] = "no"
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send the stream until the work ends or the client leaves."""
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            for task in (sending, leaving):
                task.cancel()
            if self._on_close is not None:
                self._on_close()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        await send(
            {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        )
        async with contextlib.aclosing(self._pieces()) as pieces:
            async for piece in pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pieces(self) -> AsyncGenerator[bytes]:
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        working = asyncio.ensure_future(self._work(queue.put_nowait))
        working.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while True:
                try:
                    piece = await asyncio.wait_for(queue.get(), self._heartbeat_s)
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
    """Await work, and cancel it when the client leaves.

    Raises:
        ClientDisconnect: it left.
    """
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
