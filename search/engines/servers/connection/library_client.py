"""What the clients of both libraries have in common."""

from __future__ import annotations

import importlib.util
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import Body, Refusal, ServerInfo
from search.engines.servers.connection.faults import (
    Fault,
    FaultError,
    error_of,
    product_of_refusal,
    reason_of,
)
from search.engines.servers.connection.options import ServerOptions
from search.errors import IndexUnavailableError

_NOISE = re.compile(r"^\[SSL[^\]]*\] |^\[Errno -?\d+\] | \(_ssl\.c:\d+\)$")


def causes(error: BaseException) -> list[BaseException]:
    """Return the exception and all that it wraps, outermost first."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found.append(one)
            waiting.extend(_wrapped(one))
    return found


def plain(error: BaseException) -> str:
    """Return what happened in the fewest words: those of the innermost exception."""
    told = [_words(one) for one in causes(error)]
    return next((words for words in reversed(told) if words), type(error).__name__)


def _wrapped(error: BaseException) -> Iterator[BaseException]:
    # elastic_transport keeps causes in `errors`, opensearch-py in `info`, urllib3 in `args`.
    candidates = [
        *(getattr(error, "errors", None) or ())[:1],
        getattr(error, "info", None),
        *error.args,
        error.__cause__,
    ]
    yield from (one for one in candidates if isinstance(one, BaseException))


def _words(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return _NOISE.sub("", _NOISE.sub("", str(text))).strip()


def checked_version(
    address: ServerAddress,
    title: str,
    answer: Any,
    oldest: tuple[int, ...],
    before: tuple[int, ...],
) -> tuple[int, ...]:
    """Return the version in the answer to `GET /`.

    Raises:
        IndexUnavailableError: it is older than `oldest`, or not below `before`.
    """
    number = str(answer["version"]["number"])
    version = tuple(int(part) for part in re.findall(r"\d+", number)[:3])
    if oldest <= version < before:
        return version
    raise IndexUnavailableError(
        f"the server at {address.node} is {title} {number}, but rirag needs "
        f"{_dotted(oldest)} or newer, below {_dotted(before)}; use another server",
        code="engine.version",
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


RETRIES = 3
"""How often a request that may be repeated is sent again after a cut connection."""
CONNECTIONS = 32
"""Connections that are kept open; more callers at once than this wait for one another."""
BULK_ACTIONS = 500
"""Actions of one bulk request. Between 200 and 2,000 speed differs by less than between runs."""
BULK_BYTES = 8 * 2**20
"""Bytes of one bulk request: a twelfth of what both servers take by default."""
BULK_TIMEOUT_S = 120.0
BULK_RETRIES = 8
BULK_PAUSE_S = 0.5
"""First pause when a server is busy; each further one is twice as long…"""
BULK_LONGEST_PAUSE_S = 30.0
"""… up to this."""


class LibraryClient(ABC):
    """Implements `search.engines.servers.connection.client.Client`, but for what a library does in
    its way."""

    title: str
    """The product that is spoken to."""

    def __init__(self, address: ServerAddress, options: ServerOptions) -> None:
        self.address = address
        self.options = options
        self._info: ServerInfo | None = None

    def info(self) -> ServerInfo:
        """Ask which server this is, once; refuse what is not supported."""
        if self._info is None:
            with self._told():
                self._info = self._identify()
        return self._info

    def request(
        self, method: str, path: str, body: Body | Iterable[Body] | None = None,
        *, timeout_s: float | None = None, **params: str | int | bool,
    ) -> dict[str, Any]:  # fmt: skip
        """Send one request and return the JSON answer."""
        call = call_of(method, path, body, timeout_s or self.options.timeout_s, params)
        with self._told():
            return whole(self._send(call))

    def bulk(self, index: str, actions: Iterable[Body]) -> Iterator[Refusal | None]:
        """Stream actions through the library's helper."""
        with self._told():
            for taken, item in self._stream(index, actions):
                yield None if taken else refusal_of(item)

    def _unasked(self, refusal: Any) -> ServerInfo:
        """Return what is known where one may search without the right to ask for the version."""
        product = product_of_refusal(reason_of(refusal))
        if product not in (None, self.title):
            raise FaultError(Fault("product", product))
        return ServerInfo(self.title, ())

    @abstractmethod
    def _identify(self) -> ServerInfo:
        """Ask for product and version; another product is a `FaultError`."""

    @abstractmethod
    def _send(self, call: Call) -> Any:
        """Send a request."""

    @abstractmethod
    def _stream(self, index: str, actions: Iterable[Body]) -> Iterable[tuple[bool, dict[str, Any]]]:
        """Run the library's `streaming_bulk`."""

    @abstractmethod
    def _fault(self, error: Exception) -> Fault | None:
        """Return a library's exception in our words; None: it is not the library's."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            fault = error.fault if isinstance(error, FaultError) else self._fault(error)
            if fault is None:
                raise
            raise error_of(fault, self.address, self.options) from error


def bulk_settings() -> dict[str, Any]:
    """Return the arguments of `streaming_bulk` that both libraries have."""
    return {
        "expand_action_callback": bulk_lines,
        "chunk_size": BULK_ACTIONS,
        "max_chunk_bytes": BULK_BYTES,
        "raise_on_error": False,
        "max_retries": BULK_RETRIES,
        "initial_backoff": BULK_PAUSE_S,
        "max_backoff": BULK_LONGEST_PAUSE_S,
    }


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
