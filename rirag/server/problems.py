"""Every refusal of the server as RFC 9457 `application/problem+json`, with a stable code.

The sentence is that of the command line; the status follows from the code.
"""

from __future__ import annotations

import json
import logging
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rirag.server.root_path import rooted
from search.errors import RiragError

LOG = logging.getLogger("rirag.server")

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A kind of refusal, as the documentation lists it."""

    status: int
    meaning: str


@cache
def refusals() -> Mapping[str, Refusal]:
    """Return code → status and meaning of every refusal (docs/errors.md)."""
    table = tomllib.loads((files("rirag") / "messages.toml").read_text("utf-8"))
    return {code: Refusal(*one) for code, one in table.items()}


class Problem(HTTPException):
    """A refusal on its way to the client."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        **fields: Any,
    ) -> None:
        """Refuse with a code of `refusals`; further fields go into the body as they are."""
        known = refusals()
        super().__init__(status or known.get(code, known["error.other"]).status, detail, headers)
        self.code = code
        self.fields = fields

    def to_json(self, instance: str) -> dict[str, Any]:
        """Return the body of the response."""
        return {
            "type": rooted(f"/docs#{self.code}"),
            "title": HTTPStatus(self.status_code).phrase,
            "status": self.status_code,
            "detail": self.detail,
            "instance": rooted(instance),
            "code": self.code,
            **self.fields,
        }


_FOLDERS = re.compile(r"(?<![\w:/.])/(?:[^\s/'\",;:]+/)+(?=[^\s/])")
"""The folders of an absolute path: clients need not know where the server keeps its files."""

_COMMAND = re.compile(r"; list them with: rirag .*\Z", re.DOTALL)
"""The end of a refusal that helps on the command line alone."""


def problem_of(error: RiragError) -> Problem:
    """Return the refusal that an error of the library is."""
    return Problem(error.code, _FOLDERS.sub("", _COMMAND.sub(".", str(error))))


def told(error: Exception, event: str, **where: Any) -> Problem:
    """Return the refusal that work ends in; a defect is logged, and says nothing of itself.

    Args:
        error: what ended the work.
        event: what the log calls it.
        where: further fields of the line in the log.
    """
    if isinstance(error, Problem):
        return error
    if isinstance(error, RiragError):
        return problem_of(error)
    LOG.error(event, exc_info=error, extra=where)
    return Problem("server.failed", "internal error; the log has the details.")


def invalid(found: Sequence[tuple[str, str]]) -> Problem:
    """Return the refusal of a request with wrong fields, each with what is wrong with it."""
    field, wrong = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return Problem(
        "request.invalid",
        f"{field}: {wrong}{more}.",
        errors=[{"field": name, "problem": why} for name, why in found[:20]],
    )


def busy(detail: str, code: str = "limit.busy", seconds: int = 1) -> Problem:
    """Return the refusal of work beyond a limit."""
    return Problem(code, detail, headers={"Retry-After": str(seconds)}, retry_after=seconds)


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a problem as the whole response: to people as a page, to programs as JSON."""
    response = await scope["app"].state.refused(Request(scope), problem)
    await response(scope, receive, send)


def problem_response(problem: Problem, instance: str) -> Response:
    """Return the response that a problem is."""
    body = json.dumps(problem.to_json(instance), ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, problem.status_code, dict(problem.headers or {}), MEDIA_TYPE)


NOT_YET = ("as_of", "since", "until", "version")
"""Parameters that belong to law in time, whose names are kept free."""


def refuse_not_yet(names: object) -> None:
    """Refuse parameters whose meaning comes with a later version.

    Raises:
        Problem: one of them was given.
    """
    given = [name for name in NOT_YET if isinstance(names, Mapping) and name in names]
    if given:
        raise Problem(
            "request.not-available",
            (
                f"{given[0]!r} is not supported in this version: the server answers from "
                "the text in the index; leave the parameter out."
            ),
            parameter=given[0],
        )
