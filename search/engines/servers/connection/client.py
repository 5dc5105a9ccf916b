"""A connection to a server: REST requests, streams of bulk actions, and vectors in its way."""

from __future__ import annotations

import importlib.util
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.faults import (
    Fault,
    FaultError,
    error_of,
    product_of_refusal,
    reason_of,
)
from search.engines.servers.connection.options import ServerOptions
from search.errors import IndexUnavailableError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Body = Mapping[str, Any]
Version = tuple[int, ...]
"""Such as (9, 5, 3)."""
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
MULTI_SEARCH = "/_msearch"
NOT_READ = "-responses.hits.hits._index,-responses.hits.hits._score"
"""What an answer leaves out of each hit, a third of its bytes: hits are told by their row, and have
their score in what they are sorted by."""
READING = ("_msearch", "_search", "_count", "_mget", "_analyze")
"""Ends of the paths that change nothing, whatever the method."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One bulk action that the server did not take."""

    id: str
    status: int
    reason: str
    """The server's words."""


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


class Client(ABC):
    """A connection to the server of one index; safe to share between threads.

    Every method raises an error of `search.errors` with the server's reason. Reading requests
    (`GET`, `_msearch`, `_search`, `_count`) and bulk requests are sent again when the connection
    was cut; others never, because nobody knows whether the server did what it was asked. A search
    that not all shards answered is an error.
    """

    title: str
    """The product that is spoken to, as people write it."""
    versions: tuple[Version, Version]
    """The oldest version that is supported, and the first that is not any more."""
    graph: str
    """How vectors are found where they are not compared one by one."""
    compares_any: bool
    """Whether vectors can be compared one by one in an index that has a graph, too."""

    def __init__(self, address: ServerAddress, options: ServerOptions) -> None:
        self.address = address
        self.options = options
        self._version: Version | None = None

    def __str__(self) -> str:
        return f"{self.title} {_dotted(self.version()) or '(unknown version)'}"

    def version(self) -> Version:
        """Ask for the version, once; refuse another product and versions that are not supported.

        It is empty where the user may not ask for it.
        """
        if self._version is None:
            with self._faults_told():
                self._version = self._identify()
        return self._version

    def request(
        self, method: str, path: str, body: Body | Iterable[Body] | None = None,
        *, timeout_s: float | None = None, **params: str | int | bool,
    ) -> dict[str, Any]:  # fmt: skip
        """Send one request and return the JSON answer.

        Args:
            method: `GET`, `POST`, `PUT` or `DELETE`.
            path: begins with a slash; parts that come from users are quoted by the caller.
            body: a JSON object, or several for an NDJSON request such as `_msearch`.
            timeout_s: seconds to wait; None: those of the options.
            params: of the query string.

        Returns:
            The answer; `{}` where there is none.
        """
        call = call_of(method, path, body, timeout_s or self.options.timeout_s, params)
        with self._faults_told():
            return whole(self._send(call))

    def search(self, index: str, body: Body) -> dict[str, Any]:
        """Run one search; what only some shards answer is an error."""
        return self.request("POST", f"/{index}/_search", body, allow_partial_search_results=False)

    def multi_search(self, lines: Sequence[Body]) -> list[dict[str, Any]]:
        """Run several searches in one request (header and body of each in turn)."""
        answer = self.request("POST", MULTI_SEARCH, lines, filter_path=NOT_READ)
        return list(answer["responses"])

    def bulk(self, index: str, actions: Iterable[Body]) -> Iterator[Refusal | None]:
        """Stream actions in requests of bounded size; yield one result an action.

        An action is a dict with `_id`, maybe `_op_type` (`index`, `create` or `delete`), maybe an
        `_index` of its own, and the document, either under `_source` or as the other fields. What
        the server refuses for being busy (429) is tried again with growing pauses, and its result
        comes after those of its request.
        """
        settings = {
            "index": index,
            "expand_action_callback": bulk_lines,
            "chunk_size": BULK_ACTIONS,
            "max_chunk_bytes": BULK_BYTES,
            "raise_on_error": False,
            "max_retries": BULK_RETRIES,
            "initial_backoff": BULK_PAUSE_S,
            "max_backoff": BULK_LONGEST_PAUSE_S,
        }
        with self._faults_told():
            timeout_s = max(BULK_TIMEOUT_S, self.options.timeout_s)
            for taken, item in self._stream(actions, timeout_s, settings):
                yield None if taken else refusal_of(item)

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""

    def vector_settings(self, exact: bool) -> Body:  # noqa: ARG002
        """Return index settings (below `index`) that the vector field needs."""
        return {}

    @abstractmethod
    def vector_field(self, dimension: int, exact: bool) -> Body:
        """Return the mapping of the field `vector`."""

    @abstractmethod
    def vector_value(self, vector: NDArray[np.float32]) -> Any:
        """Return a unit vector as the server takes it in a document."""

    @abstractmethod
    def dense_query(
        self, vector: NDArray[np.float32], depth: int, filters: Sequence[Body], exact: bool
    ) -> Body:
        """Return the part of a search body that finds the nearest vectors.

        Args:
            vector: unit vector, shape (dimension,).
            depth: how many.
            filters: clauses that all must hold for a passage.
            exact: whether vectors are compared one by one; else by a graph.
        """

    @abstractmethod
    def cosines(self, scores: NDArray[np.float64], exact: bool) -> NDArray[np.float64]:
        """Turn the scores of dense hits into cosines, -1 to 1."""

    def bm25_factor(self) -> float:
        """Return what makes scores of BM25 those of the embedded engine, which has the factor
        k1 + 1 of Robertson et al. (1994) in them.
        """
        return 1.0

    @abstractmethod
    def _identify(self) -> Version:
        """Ask for product and version; another product is a `FaultError`."""

    @abstractmethod
    def _send(self, call: Call) -> Any: ...

    @abstractmethod
    def _stream(
        self, actions: Iterable[Body], timeout_s: float, settings: dict[str, Any]
    ) -> Iterable[tuple[bool, dict[str, Any]]]:
        """Run the library's `streaming_bulk`."""

    @abstractmethod
    def _fault(self, error: Exception) -> Fault | None:
        """Return a library's exception in our words; None: it is not the library's."""

    def _supported(self, answer: Any) -> Version:
        """Return the version in the answer to `GET /`; refuse one that is not supported."""
        number = str(answer["version"]["number"])
        version = tuple(int(part) for part in re.findall(r"\d+", number)[:3])
        oldest, before = self.versions
        if oldest <= version < before:
            return version
        raise IndexUnavailableError(
            f"the server at {self.address.node} is {self.title} {number}, but rirag needs "
            f"{_dotted(oldest)} or newer, below {_dotted(before)}; use another server",
            code="engine.version",
        )

    def _unasked(self, refusal: Any) -> Version:
        """Return no version, where one may search without the right to ask for it."""
        product = product_of_refusal(reason_of(refusal))
        if product not in (None, self.title):
            raise FaultError(Fault("product", product))
        return ()

    @contextmanager
    def _faults_told(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            fault = error.fault if isinstance(error, FaultError) else self._fault(error)
            if fault is None:
                raise
            raise error_of(fault, self.address, self.options) from error


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))


def call_of(
    method: str,
    path: str,
    body: Body | Iterable[Body] | None,
    timeout_s: float,
    params: Mapping[str, str | int | bool],
) -> Call:
    """Return a request (see `Client.request`)."""
    query = urlencode(
        {name: str(one).lower() if isinstance(one, bool) else one for name, one in params.items()}
    )
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
        repeatable=method == "GET" or path.rpartition("/")[2] in READING,
    )


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
    """Read JSON; what is none is a `ValueError`."""
    if orjson is not None:
        try:
            return orjson.loads(text)
        except ValueError:
            pass  # an escaped half of a character is read by the standard library alone
    return json.loads(text)


def to_json(body: Body | Iterable[Body]) -> str:
    """Return JSON, or NDJSON for several bodies."""
    if isinstance(body, Mapping):
        return to_text(body)
    return "".join(f"{to_text(one)}\n" for one in body)


def bulk_lines(action: Body) -> tuple[dict[str, Any], Body | None]:
    """Return the two lines of a bulk action: what to do, and the document.

    The libraries' own way would take fields called `parent`, `routing` or `version` for orders.
    """
    orders = ("_op_type", "_id", "_index")
    operation = action.get("_op_type", "index")
    order = {operation: {name: action[name] for name in orders[1:] if name in action}}
    if operation == "delete":
        return order, None
    source = action.get("_source")
    if source is None:
        source = {name: value for name, value in action.items() if name not in orders}
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
    if answer is None:
        return {}
    if not isinstance(answer, dict):
        raise FaultError(Fault("answer", "the reply is not a JSON object"))
    for one in answer.get("responses", (answer,)):
        if "error" in one:
            raise FaultError(Fault("status", status=int(one.get("status", 500)), body=one))
        shards = one.get("_shards") or {}
        if shards.get("failed"):
            failures = {"failed_shards": shards.get("failures", [])}
            raise FaultError(Fault("partial", reason_of({"error": failures})))
        if "hits" in one and one.get("timed_out"):
            raise FaultError(Fault("partial", "it ran out of time"))
    return answer
