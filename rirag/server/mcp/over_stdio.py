"""The tools over standard input and output, for an assistant on this machine."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rirag.server.mcp.desk import LocalDesk

if TYPE_CHECKING:
    from rirag.settings import Settings

FRESH_EVERY_S = 5.0


def serve_stdio(settings: Settings) -> None:
    """Serve the tools until standard input ends.

    Raises:
        MissingDependencyError: the extra `server` is not installed.
        RiragError: the index cannot be opened.
    """
    from rirag.server.serving import require_extra

    require_extra()
    from rirag.server.mcp.tools import make_server
    from rirag.service import Service

    with Service.open(settings, fresh_every_s=FRESH_EVERY_S) as service:
        asyncio.run(make_server(LocalDesk(service)).run_stdio_async())
