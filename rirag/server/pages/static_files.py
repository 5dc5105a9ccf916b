"""Static files of the page: their address changes with their content, so that caches keep them."""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

FOLDER = Path(__file__).parent.parent / "static"


class CachedStaticFiles(StaticFiles):
    """Serves the folder; whoever asks with a version may keep the file for a year."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a file."""
        versioned = scope.get("query_string", b"").startswith(b"v=")

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in (200, 304):
                age = "public, max-age=31536000, immutable" if versioned else "no-cache"
                MutableHeaders(scope=message)["Cache-Control"] = age
            await send(message)

        await super().__call__(scope, receive, sent)
