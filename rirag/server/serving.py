"""Run the application: bind the address, say where it is, shut down cleanly."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rirag.refusals import unusable
from rirag.server.options import ServeOptions
from search.errors import MissingDependencyError

if TYPE_CHECKING:
    from types import FrameType

    import uvicorn

    from rirag.server.state import ServerState
    from rirag.settings import Settings

NEEDED = (
    "fastapi", "uvicorn", "jinja2", "python_multipart", "prometheus_client", "mcp", "docx"
)  # fmt: skip
BACKLOG = 2048
SHUTDOWN_S = 30
"""Time for open answers to end."""
KEEP_ALIVE_S = 30
FRESH_EVERY_S = 5.0
"""How often the tools over standard input look for a newer state of the index."""


def require_extra() -> None:
    """Refuse to start without the libraries of the extra `server`.

    Raises:
        MissingDependencyError: one is not installed.
    """
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in NEEDED):
        raise MissingDependencyError("the server", "server")


def serve(
    settings: Settings, options: ServeOptions, started: Callable[[str], None] | None = None
) -> None:
    """Serve until a signal ends it.

    Args:
        settings: of the index and its answers.
        options: of the server.
        started: gets the address once it is bound.

    Raises:
        InputError: the address cannot be bound, or would be open to everybody.
        MissingDependencyError: the extra `server` is not installed.
    """
    require_extra()
    options.check()
    bound = _bind(options)
    import uvicorn

    from rirag.server.app import create_app
    from rirag.server.middleware import TimedConnection

    sys.setswitchinterval(0.001)  # pages wait 1 ms, not 5, for a thread that computes
    with bound:
        app = create_app(settings, options)
        log_to_stderr()
        config = uvicorn.Config(
            app, http=TimedConnection, log_config=None, access_log=False, server_header=False,
            date_header=True, proxy_headers=False, timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=SHUTDOWN_S, h11_max_incomplete_event_size=64 * 1024,
            lifespan="on", ws="none",
        )  # fmt: skip
        server = uvicorn.Server(config)
        before_exit(server, app.state.server)
        if started is not None:
            started(address_of(options.host, bound.getsockname()[1]) + options.root)
        server.run(sockets=[bound])
        if not server.started:
            sys.exit(1)


def before_exit(server: uvicorn.Server, state: ServerState) -> None:
    """Let the server refuse new work from the first signal on, while open answers end."""
    handle = server.handle_exit

    def handle_exit(signal: int, frame: FrameType | None) -> None:
        state.stopping = True
        handle(signal, frame)

    server.handle_exit = handle_exit  # type: ignore[method-assign, assignment]


def _bind(options: ServeOptions) -> socket.socket:
    """Return a listening socket.

    Raises:
        InputError: the address is taken, or none of this machine.
    """
    try:
        family = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # Only with its protocol named does asyncio send each piece at once (TCP_NODELAY): a
        # response would wait 40 ms for the client to acknowledge its head.
        made = socket.socket(*family[:3])
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(family[4])
        made.listen(BACKLOG)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise unusable("server.address", host=options.host, port=options.port, why=why) from None
    return made


def address_of(host: str, port: int) -> str:
    """Return the address that a browser opens."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared only
    return f"http://{f'[{name}]' if ':' in name and not name.startswith('[') else name}:{port}"


def serve_stdio(settings: Settings) -> None:
    """Serve the tools until standard input ends.

    Raises:
        MissingDependencyError: the extra `server` is not installed.
        RiragError: the index cannot be opened.
    """
    require_extra()
    from rirag.server.mcp.desk import LocalDesk
    from rirag.server.mcp.tools import make_server
    from rirag.service import Service

    with Service.open(settings, fresh_every_s=FRESH_EVERY_S) as service:
        asyncio.run(make_server(LocalDesk(service)).run_stdio_async())


class JsonLines(logging.Formatter):
    """Log records as one JSON object a line."""

    _OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        data: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        data |= {k: v for k, v in vars(record).items() if k not in self._OWN}
        if record.exc_info:
            data["traceback"] = self.formatException(record.exc_info)
        return json.dumps(data, default=str)


def log_to_stderr() -> None:
    """Write the server's log as JSON lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("rirag.server", "indexer", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
