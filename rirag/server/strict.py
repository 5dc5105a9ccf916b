"""Strict reading of requests, and JSON responses that are valid whatever is in them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from rirag.server.problems import Problem, refuse_not_yet

MOST_DEPTH = 64
NO_KEY = ("/livez", "/readyz")
"""Addresses that are open to everybody."""


class StrictRequest(Request):
    """A request whose JSON is taken literally."""

    async def json(self) -> Any:
        """Return the body as JSON.

        Raises:
            Problem: it is none, nests too deep, or has a name twice, NaN or Infinity.
        """
        if not hasattr(self, "_strict"):
            self._strict = read_json(await self.body())
            refuse_not_yet(self._strict)
        return self._strict


class StrictRoute(APIRoute):
    """A route that takes JSON as JSON, and no query parameter it does not know."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler with the checks before it."""
        handle = super().get_route_handler()
        known = {field.alias for field in self.dependant.query_params}
        takes_json = self.body_field is not None

        async def checked(request: Request) -> Response:
            if self.path not in NO_KEY:  # whoever has no key learns nothing else
                request.app.state.server.gate.caller(request)
            refuse_not_yet(request.query_params)
            unknown = sorted(set(request.query_params) - known)
            if unknown:
                names = ", ".join(sorted(known)) or "none"
                raise Problem(
                    "request.invalid",
                    f"unknown parameter {unknown[0][:80]!r}; this address takes: {names}.",
                    parameter=unknown[0][:80],
                )
            repeated = [n for n in request.query_params if len(request.query_params.getlist(n)) > 1]
            if repeated:
                raise Problem(
                    "request.invalid", f"the parameter {repeated[0]!r} was given more than once."
                )
            if takes_json and not _is_json(request.headers.get("content-type", "")):
                raise Problem(
                    "request.not-json", "send the body as JSON with Content-Type: application/json."
                )
            return await handle(StrictRequest(request.scope, request.receive))

        return checked


def _is_json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == "application/json"


def read_json(body: bytes) -> Any:
    """Return a JSON value.

    Raises:
        Problem: it is none, nests too deep, or has a name twice, NaN or Infinity.
    """
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=_once, parse_constant=_constant)
    except RecursionError:
        raise _malformed(f"it nests deeper than {MOST_DEPTH} levels") from None
    except UnicodeDecodeError:
        raise _malformed("it is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise _malformed(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except ValueError as error:  # numbers of thousands of digits, too
        raise _malformed(str(error)[:200]) from None
    _check(value, 0)
    return value


def _check(value: Any, depth: int) -> None:
    """Refuse what nests too deep, and text that is not Unicode."""
    if depth > MOST_DEPTH:
        raise _malformed(f"it nests deeper than {MOST_DEPTH} levels")
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise _malformed("a text contains half of a surrogate pair") from None
    elif isinstance(value, float) and not math.isfinite(value):
        raise _malformed("a number is out of range")
    elif isinstance(value, dict):
        for name, one in value.items():
            _check(name, depth)
            _check(one, depth + 1)
    elif isinstance(value, list):
        for one in value:
            _check(one, depth + 1)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice[:80]!r} occurs twice in one object")
    return found


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _malformed(why: str) -> Problem:
    return Problem("request.malformed", f"the body is not valid JSON: {why}.")


class JsonResponse(Response):
    """JSON as UTF-8; a number that JSON does not have becomes `null`."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return json_text(content).encode("utf-8")


def json_text(value: Any) -> str:
    """Return JSON on one line, valid UTF-8 and without NaN."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    except ValueError:
        return json_text(_finite(value))
    return text


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value
