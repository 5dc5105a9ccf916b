"""Refuse requests for other hosts (DNS rebinding), and writes that other sites ask for (CSRF)."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rirag.server.options import ServeOptions, host_name
from rirag.server.problems import Problem, refuse
from rirag.server.strict import NO_KEY

READS = ("GET", "HEAD", "OPTIONS")
BY_KEY = ("/v1/", "/mcp")
"""Where only a key counts, which no other site can send: there an allowed origin may write."""
FOREIGN = ("cross-site", "same-site")
"""Values of `Sec-Fetch-Site` with which a browser says that another origin asks."""


class HostCheck:
    """Lets through requests for an allowed host, and writes of no other origin."""

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self.app = app
        self._allowed = options.allowed_hosts
        self._named = options.named_hosts
        self._origins = options.origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] == "http":
            problem = self._problem(scope)
            if problem is not None:
                await refuse(problem, scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _problem(self, scope: Scope) -> Problem | None:
        if scope["path"] in NO_KEY:
            return None  # a probe names the address of the machine
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or host_name(host) not in self._allowed:
            return Problem(
                "request.host",
                f"this server does not answer for the host name {host_name(host)[:80]!r}; "
                "allow it with --allow-host NAME.",
            )
        if scope["method"] in READS or self._is_ours(headers, scope["path"]):
            return None
        origin = headers.get("origin", "")[:80]
        return Problem(
            "request.origin",
            f"the request came from another site{f', {origin!r}' if origin else ''}; nothing was "
            "done. If this server has that name, allow it with --allow-host NAME; for a program in "
            "a browser that sends a key to /v1 or /mcp, use --allow-origin URL.",
        )

    def _is_ours(self, headers: Headers, path: str) -> bool:
        """Return whether a browser sends a request from a page of this server, or may anyway."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site") not in FOREIGN
        if origin in self._origins and path.startswith(BY_KEY):
            return True
        # A proxy may have changed name and port of Host; a name of this server alone is enough.
        netloc = origin.lower().partition("://")[2]
        return netloc == headers["host"].lower() or host_name(netloc) in self._named
