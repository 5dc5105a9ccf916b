"""Strict reading of requests, and JSON responses that are valid whatever is in them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic_core import to_json

from rirag.server.addresses import ORIGIN, document_address, rule_address
from rirag.server.problems import Problem, refusal

MOST_DEPTH = 64
NO_KEY = ("/livez", "/readyz")
"""Addresses that are open to everybody."""


class StrictRequest(Request):
    """A request whose JSON is taken literally."""

    async def json(self) -> Any:
        """Return the body as JSON."""
        if not hasattr(self, "_strict"):
            self._strict = read_json(await self.body())
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
            unknown = sorted(set(request.query_params) - known)
            if unknown:
                names = ", ".join(sorted(known)) or "none"
                raise refusal("request.invalid/parameter", parameter=unknown[0][:80], names=names)
            repeated = [n for n in request.query_params if len(request.query_params.getlist(n)) > 1]
            if repeated:
                raise refusal("request.invalid/repeated", name=repeated[0])
            if takes_json and not _is_json(request.headers.get("content-type", "")):
                raise refusal("request.not-json")
            return await handle(StrictRequest(request.scope, request.receive))

        return checked


def _is_json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == "application/json"


def read_json(body: bytes) -> Any:
    """Return a JSON value."""
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
    return refusal("request.malformed", why=why)


def mapped(
    value: Any,
    text: Callable[[str], str] = lambda one: one,
    record: Callable[[dict[str, Any]], dict[str, Any]] = lambda one: one,
) -> Any:
    """Return JSON with its texts and objects changed, the inner ones first."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return record({name: mapped(one, text, record) for name, one in value.items()})
    return [mapped(o, text, record) for o in value] if isinstance(value, list | tuple) else value


def with_urls(value: Any) -> Any:
    """Return JSON in which everything that names a passage or document has its `url`, too."""
    return mapped(value, record=_with_url) if ORIGIN.get() else value


def _with_url(record: dict[str, Any]) -> dict[str, Any]:
    document, number = record.get("document_id"), record.get("passage_id")
    if not isinstance(document, str):
        return record
    place = document_address(document) if number is None else rule_address(document, number)
    return {**record, "url": ORIGIN.get() + place}


class JsonResponse(Response):
    """JSON as UTF-8; a number that JSON does not have becomes `null`."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return json_text(content).encode("utf-8")


def json_text(value: Any) -> str:
    """Return JSON on one line, valid UTF-8 and without NaN."""
    try:
        return to_json(value, inf_nan_mode="null").decode()
    except ValueError:  # half of a surrogate pair, which UTF-8 does not have
        return json.dumps(value, separators=(",", ":"))
