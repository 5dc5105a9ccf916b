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

from rirag.refusals import said, sentences
from rirag.server.addresses import rooted
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


def refusal(
    name: str, /, *, status: int | None = None, headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Problem:  # fmt: skip
    """Return a refusal by its name in `rirag/refusals.toml`, with the values that it tells."""
    shown = {field: values[field] for field in sentences()[name].get("shows", ())}
    code, detail = name.partition("/")[0], said(name, **values)
    return Problem(code, detail, status=status, headers=headers, **shown)


_FOLDERS = re.compile(r"(?<![\w:/.])/(?:[^\s/'\",;:]+/)+(?=[^\s/])")
"""The folders of an absolute path: clients need not know where the server keeps its files."""

_COMMAND = re.compile(r"; list them with: rirag .*\Z", re.DOTALL)
"""The end of a refusal that helps on the command line alone."""


def problem_of(error: RiragError) -> Problem:
    """Return the refusal that an error of the library is."""
    return Problem(error.code, _FOLDERS.sub("", _COMMAND.sub(".", str(error))))


def told(error: Exception, event: str, **where: Any) -> Problem:
    """Return the refusal that work ends in; a defect is logged as an event, and says nothing."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RiragError):
        return problem_of(error)
    LOG.error(event, exc_info=error, extra=where)
    return refusal("server.failed")


def invalid(found: Sequence[tuple[str, str]]) -> Problem:
    """Return the refusal of a request with wrong fields, each with what is wrong with it."""
    field, wrong = found[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    errors = [{"field": name, "problem": why} for name, why in found[:20]]
    return refusal("request.invalid/fields", field=field, wrong=wrong, more=more, errors=errors)


def busy(name: str, seconds: int, **values: Any) -> Problem:
    """Return the refusal of work beyond a limit."""
    return refusal(name, headers={"Retry-After": str(seconds)}, retry_after=seconds, **values)


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a problem as the whole response: to people as a page, to programs as JSON."""
    response = await scope["app"].state.refused(Request(scope), problem)
    await response(scope, receive, send)


def problem_response(problem: Problem, instance: str) -> Response:
    """Return the response that a problem is."""
    body = json.dumps(problem.to_json(instance), ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, problem.status_code, dict(problem.headers or {}), MEDIA_TYPE)
