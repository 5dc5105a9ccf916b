"""The tools at `/mcp`, for those with a key."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from rirag.server.mcp.desk import ServerDesk
from rirag.server.middleware import Wrapper
from rirag.server.problems import Problem, refuse
from rirag.server.state import ServerState

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

PATH = "/mcp"


class McpEndpoint(Wrapper):
    """Lets callers in by their key; the library of the protocol is loaded with the first one."""

    def __init__(self, app: ASGIApp, state: ServerState) -> None:
        super().__init__(app)
        self._state = state
        self._server: MCPServer[Any] | None = None
        self._starting = asyncio.Lock()

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for the tools, or pass it on."""
        if scope["path"].rstrip("/") != PATH:
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
        async with self._starting:
            if self._server is None:
                self._server = await asyncio.to_thread(self._made)
            server = self._server
        from mcp.server.transport_security import TransportSecuritySettings

        tools = server.streamable_http_app(
            streamable_http_path=PATH, stateless_http=True, json_response=True,
            # Host and Origin were checked before, for all addresses alike.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )  # fmt: skip
        async with server.session_manager.run():  # no session outlives its request
            asked = {**scope, "path": PATH, "method": scope["state"]["method"]}
            await tools(asked, receive, send)

    def _made(self) -> MCPServer[Any]:
        from rirag.server.mcp.tools import make_server

        return make_server(ServerDesk(self._state))
