"""Refuse requests for other hosts (DNS rebinding), and writes that other sites ask for (CSRF)."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rirag.server.middleware.refusing import refuse
from rirag.server.problems import Problem

READS = ("GET", "HEAD", "OPTIONS")
FOREIGN = ("cross-site", "same-site")
"""Values of `Sec-Fetch-Site` with which a browser says that another origin asks."""


class HostCheck:
    """Lets through requests for an allowed host, and writes of no other origin."""

    def __init__(self, app: ASGIApp, allowed: Collection[str]) -> None:
        self.app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] == "http":
            problem = self._problem(scope)
            if problem is not None:
                await refuse(problem, scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _problem(self, scope: Scope) -> Problem | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or _name_of(host) not in self._allowed:
            return Problem(
                "request.host",
                "this server does not answer for that host name; allow it with --allow-host NAME.",
            )
        if scope["method"] in READS:
            return None
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc.lower() != host.lower()
        if foreign or (origin is None and headers.get("sec-fetch-site") in FOREIGN):
            return Problem(
                "request.origin", "the request came from another site; nothing was done."
            )
        return None


def _name_of(host: str) -> str:
    """Return the name of a Host header without its port."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")
