"""What goes over the wire, and what comes back: pure functions."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from search.engines.servers.connection.client import Body, Refusal
from search.engines.servers.connection.faults import Fault, FaultError, reason_of

orjson: Any = importlib.import_module("orjson") if importlib.util.find_spec("orjson") else None
"""Writes a vector 20 times and reads an answer 3 times as fast as the standard library; None
without the extras, which sending needs."""


def to_text(value: Any) -> str:
    """Return a value as JSON, without blanks."""
    if orjson is not None:
        try:
            text: str = orjson.dumps(value).decode()
            return text
        except TypeError:
            pass  # half a character, as a terminal can bring in, is not UTF-8, but can be escaped
    return json.dumps(value, separators=(",", ":"))


def from_text(text: str | bytes) -> Any:
    """Read JSON.

    Raises:
        ValueError: it is none.
    """
    if orjson is not None:
        try:
            return orjson.loads(text)
        except ValueError:
            pass  # an escaped half of a character is read by the standard library alone
    return json.loads(text)


READING = ("_msearch", "_search", "_count", "_mget", "_analyze")
"""Ends of the paths that change nothing, whatever the method."""
_ORDERS = ("_op_type", "_id", "_index")


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it goes out."""

    method: str
    target: str
    """Path and query string."""
    body: str | None
    headers: dict[str, str]
    timeout_s: float
    repeatable: bool
    """Whether it may be sent again when nobody knows if it arrived."""


def call_of(
    method: str,
    path: str,
    body: Body | Iterable[Body] | None,
    timeout_s: float,
    params: Mapping[str, str | int | bool],
) -> Call:
    """Return a request (see `Client.request`)."""
    query = urlencode({name: _text(value) for name, value in params.items()})
    headers = {"accept": "application/json"}
    if body is not None:
        single = isinstance(body, Mapping)
        headers["content-type"] = "application/json" if single else "application/x-ndjson"
    return Call(
        method=method,
        target=f"{path}?{query}" if query else path,
        body=None if body is None else to_json(body),
        headers=headers,
        timeout_s=timeout_s,
        repeatable=method in ("GET", "HEAD") or path.rpartition("/")[2] in READING,
    )


def to_json(body: Body | Iterable[Body]) -> str:
    """Return JSON, or NDJSON for several bodies."""
    if isinstance(body, Mapping):
        return to_text(body)
    return "".join(f"{to_text(one)}\n" for one in body)


def bulk_lines(action: Body) -> tuple[dict[str, Any], Body | None]:
    """Return the two lines of a bulk action: what to do, and the document.

    The libraries' own way would take fields called `parent`, `routing` or `version` for orders.
    """
    operation = action.get("_op_type", "index")
    order = {operation: {name: action[name] for name in ("_id", "_index") if name in action}}
    if operation == "delete":
        return order, None
    source = action.get("_source")
    if source is None:
        source = {name: value for name, value in action.items() if name not in _ORDERS}
    return order, source


def refusal_of(item: Mapping[str, Any]) -> Refusal:
    """Return what an item of a bulk answer says of the action that was not taken."""
    (outcome,) = item.values()
    reason = reason_of(outcome) if "error" in outcome else str(outcome.get("result", "no reason"))
    return Refusal(str(outcome.get("_id", "")), int(outcome.get("status", 500)), reason)


def whole(answer: Any) -> dict[str, Any]:
    """Return an answer that is complete.

    Raises:
        FaultError: a search of it failed, ran out of time, or has not heard from every shard, or
            what answers is not a search server.
    """
    if answer is None or isinstance(answer, bool):  # to HEAD
        return {}
    if not isinstance(answer, dict):
        raise FaultError(Fault("answer", "the reply is not a JSON object"))
    for one in answer.get("responses", (answer,)):
        if "error" in one:
            raise FaultError(Fault("status", status=int(one.get("status", 500)), body=one))
        shards = one.get("_shards") or {}
        if shards.get("failed"):
            raise FaultError(Fault("partial", reason_of({"error": _failures(shards)})))
        if "hits" in one and one.get("timed_out"):
            raise FaultError(Fault("partial", "it ran out of time"))
    return answer


def _failures(shards: Mapping[str, Any]) -> dict[str, Any]:
    return {"failed_shards": shards.get("failures", [])}


def _text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
