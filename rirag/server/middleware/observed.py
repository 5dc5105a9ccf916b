"""Give each request an ID, count and time it, log it, and let no defect out as a traceback."""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import time
from datetime import UTC, datetime
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rirag.server.metrics import Metrics
from rirag.server.problems import Problem, refuse

LOG = logging.getLogger("rirag.server")
_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class Observed:
    """The outermost wrapper: whatever happens inside ends in one response and one line."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _ID.fullmatch(given) else secrets.token_hex(8)
        state: dict[str, Any] = scope.setdefault("state", {})
        state["request_id"] = request_id
        started, status = time.perf_counter(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except Problem as refusal:
            await _last_resort(refusal, status, scope, receive, sent)
        except Exception:
            LOG.exception("request failed", extra={"request_id": request_id})
            problem = Problem(
                "server.failed",
                f"internal error; the log has the details under the request ID {request_id}.",
                request_id=request_id,
            )
            await _last_resort(problem, status, scope, receive, sent)
        finally:
            seconds = time.perf_counter() - started
            path = _template(scope)
            self._metrics.request(scope["method"], path, status, seconds)
            LOG.info(
                "request",
                extra={
                    "request_id": request_id,
                    "method": scope["method"],
                    "path": path,
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                    **state.get("log", {}),
                },
            )


async def _last_resort(
    problem: Problem, status: int, scope: Scope, receive: Receive, send: Send
) -> None:
    """Refuse, unless a response has begun, which can only be broken off."""
    if status:
        raise problem
    await refuse(problem, scope, receive, send)


def _template(scope: Scope) -> str:
    """Return the address with names instead of values: these may be anybody's."""
    route = scope.get("route")
    return str(getattr(route, "path", "")) or "(none)"


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
