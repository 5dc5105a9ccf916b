"""The tools at `/mcp`, for those with a key."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from rirag.server.mcp.desk import ServerDesk
from rirag.server.problems import Problem, refuse

if TYPE_CHECKING:
    from rirag.server.state import ServerState

PATH = "/mcp"


class McpEndpoint:
    """Lets callers in by their key; the library of the protocol is loaded with the first one."""

    def __init__(self, app: ASGIApp, state: ServerState) -> None:
        self.app = app
        self._state = state
        self._tools: ASGIApp | None = None
        self._starting = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for the tools, or pass it on."""
        if scope["type"] != "http" or scope["path"].rstrip("/") != PATH:
            await self.app(scope, receive, send)
            return
        try:
            caller = self._state.gate.caller(HTTPConnection(scope))
            if not (caller.may("search") or caller.may("ask")):
                caller.need("search")
        except Problem as problem:
            await refuse(problem, scope, receive, send)
            return
        scope.setdefault("state", {}).setdefault("log", {})["key"] = caller.name
        tools = await self._started()
        await tools({**scope, "path": PATH}, receive, send)

    async def _started(self) -> ASGIApp:
        async with self._starting:
            if self._tools is None:
                self._tools = await self._start()
        return self._tools

    async def _start(self) -> ASGIApp:
        from mcp.server.transport_security import TransportSecuritySettings

        from rirag.server.mcp.tools import make_server

        server = await asyncio.to_thread(make_server, ServerDesk(self._state))
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            stateless_http=True,
            json_response=True,
            # Host and Origin were checked before, for all addresses alike.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        # The sessions belong to a task of their own: they must end in the one that began them.
        await self._state.hold_open(server.session_manager.run())
        return app
