"""Bound the size of a body and the time in which it arrives; leave it out where HEAD is asked."""

from __future__ import annotations

import asyncio
import time

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rirag.server.options import Limits
from rirag.server.problems import Problem, refuse

UPLOADS = ("/v1/documents", "/upload")
SLOWER = 10
"""An upload may take so many times longer than another body."""


class BodyLimits:
    """Counts the bytes of a body as they arrive, and gives up on one that is late."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a body, or pass the request on."""
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        is_upload = scope["method"] == "POST" and scope["path"] in UPLOADS
        most = self._limits.upload_bytes if is_upload else self._limits.body_bytes
        seconds = self._limits.body_seconds * (SLOWER if is_upload else 1)
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdecimal():
            await refuse(_malformed(), scope, receive, send)
            return
        if int(declared) > most:
            await refuse(_too_large(most), scope, receive, send)
            return
        counted = _Counted(receive, most, time.monotonic() + seconds)
        await self.app(scope, counted, send)


class _Counted:
    def __init__(self, receive: Receive, most: int, until: float) -> None:
        self._receive = receive
        self._left = most
        self._most = most
        self._until = until
        self._ended = False

    async def __call__(self) -> Message:
        if self._ended:
            return await self._receive()
        try:
            async with asyncio.timeout(max(self._until - time.monotonic(), 0.001)):
                message = await self._receive()
        except TimeoutError:
            raise Problem(
                "request.too-slow",
                "the body did not arrive in time; nothing was done.",
                headers={"Connection": "close"},
            ) from None
        self._left -= len(message.get("body", b""))
        self._ended = not message.get("more_body", False)
        if self._left < 0:
            raise _too_large(self._most)
        return message


def _too_large(most: int) -> Problem:
    return Problem(
        "request.too-large",
        f"the body is larger than {most:,} bytes; nothing was done.",
        headers={"Connection": "close"},
        most_bytes=most,
    )


def _malformed() -> Problem:
    return Problem("request.malformed", "the header Content-Length is not a number.")


class HeadAsGet:
    """Passes HEAD on as GET: the server sends the same headers, and no body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}
        try:
            await self.app(asked, receive, send)
        finally:
            scope["route"] = asked.get("route")
