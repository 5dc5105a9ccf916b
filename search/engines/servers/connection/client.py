"""What the engine asks of a connection: REST requests, and streams of bulk actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from search.errors import IndexUnavailableError

Body = Mapping[str, Any]


class NotFoundError(IndexUnavailableError):
    """The server has no such index or document (status 404)."""


class ConflictError(IndexUnavailableError):
    """A document exists already, or was changed by another (status 409)."""


class TooLateError(IndexUnavailableError):
    """The server gave no answer in time."""


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What the server says of itself."""

    product: str
    """`Elasticsearch` or `OpenSearch`."""
    version: tuple[int, ...]
    """(9, 5, 3); empty where the user may not ask for it."""

    def __str__(self) -> str:
        return f"{self.product} {'.'.join(map(str, self.version)) or '(unknown version)'}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One bulk action that the server did not take."""

    id: str
    status: int
    reason: str
    """The server's words."""


class Client(Protocol):
    """A connection to one server; safe to share between threads.

    Every method raises an error of `search.errors` with the server's reason. `NotFoundError` and
    `ConflictError` are caught where they are not a fault. Reading requests (`GET`, `HEAD`,
    `_msearch`, `_search`, `_count`) and bulk requests are sent again when the connection was cut;
    others never, because nobody knows whether the server did what it was asked. A search that not
    all shards answered is an error.
    """

    def info(self) -> ServerInfo:
        """Ask which server this is; refuse another product and versions that are not supported."""
        ...

    def request(
        self, method: str, path: str, body: Body | Iterable[Body] | None = None,
        *, timeout_s: float | None = None, **params: str | int | bool,
    ) -> dict[str, Any]:  # fmt: skip
        """Send one request and return the JSON answer.

        Args:
            method: `GET`, `POST`, `PUT`, `DELETE` or `HEAD`.
            path: begins with a slash; parts that come from users are quoted by the caller.
            body: a JSON object, or several for an NDJSON request such as `_msearch`.
            timeout_s: seconds to wait; None: those of the options.
            params: of the query string.

        Returns:
            The answer; `{}` where there is none.
        """
        ...

    def bulk(self, index: str, actions: Iterable[Body]) -> Iterator[Refusal | None]:
        """Stream actions in requests of bounded size; yield one result an action.

        An action is a dict with `_id`, maybe `_op_type` (`index`, `create` or `delete`), maybe an
        `_index` of its own, and the document, either under `_source` or as the other fields. What
        the server refuses for being busy (429) is tried again with growing pauses, and its result
        comes after those of its request.
        """
        ...

    def close(self) -> None:
        """Close all connections."""
        ...
