"""What goes wrong between a client and its server, as errors of rirag: one sentence each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.client import ConflictError, NotFoundError, TooLateError
from search.engines.servers.connection.options import PREFIX, ServerOptions
from search.errors import IndexUnavailableError, InputError, RiragError, StorageError

Kind = Literal["connection", "tls", "time-out", "product", "answer", "partial", "status"]

MAX_REASON = 400
"""Characters of a server's words that a message quotes."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a client library told, without the library's types."""

    kind: Kind
    """`connection`: refused or cut; `tls`: no agreement; `time-out`: no answer in time;
    `product`: another product answered; `answer`: no JSON came back; `partial`: some shards gave
    none; `status`: the server refused."""
    detail: str = ""
    status: int = 0
    body: Any = None
    """The answer's JSON, where there is one."""


class FaultError(Exception):
    """A fault that we found ourselves, on its way to where it is told."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


def error_of(fault: Fault, address: ServerAddress, options: ServerOptions) -> RiragError:
    """Return the error for a fault."""
    if fault.kind == "status":
        return _refused(fault, address, options)
    if fault.kind == "time-out":
        return TooLateError(_too_late(address, options))
    telling = {
        "connection": _no_connection,
        "tls": _no_tls,
        "product": _another_product,
        "answer": _no_answer,
        "partial": _not_all,
    }[fault.kind]
    return IndexUnavailableError(telling(fault, address, options), code="engine.unreachable")


def reason_of(body: Any) -> str:
    """Return a server's own words for what it refused: the innermost cause it names."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return _short(str(error or "no reason given"))
    causes = error.get("root_cause") or error.get("failed_shards") or [error]
    cause = causes[0].get("reason", error.get("reason")) if isinstance(causes[0], dict) else error
    if isinstance(cause, dict):
        cause = cause.get("reason", cause)
    inner = error.get("caused_by")
    while isinstance(inner, dict) and isinstance(inner.get("caused_by"), dict):
        inner = inner["caused_by"]
    deeper = inner.get("reason") if isinstance(inner, dict) else None
    # Why a key was not taken, such as that it has expired, stands apart.
    credentials = error.get("additional_unsuccessful_credentials")
    told = [str(part) for part in (cause, deeper, credentials) if part]
    return _short(": ".join(dict.fromkeys(told)) or str(error.get("type", "no reason given")))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_REASON else line[: MAX_REASON - 1] + "…"


def _cause(detail: str) -> str:
    """Return what the system said, out of all that the libraries put around it."""
    said = _SYSTEM.findall(detail)
    return said[-1] if said else _short(detail)


_SYSTEM = re.compile(r"\[Errno -?\d+\] ([^()\[\]'\"]+)")


def _no_connection(fault: Fault, address: ServerAddress, _: ServerOptions) -> str:
    cut = any(word in fault.detail.lower() for word in _CUT)
    if not cut:
        return (
            f"no server answers at {address.node} ({_cause(fault.detail)}); start it, or correct "
            "the host and port of the index"
        )
    hint = (
        f"; if it speaks only HTTPS, write {address.product}+https://…, else try again"
        if address.node.startswith("http:")
        else "; try again"
    )
    return f"the server at {address.node} cut the connection ({_short(fault.detail)}){hint}"


_CUT = (
    "reset", "aborted", "without response", "disconnected", "broken pipe", "incompleteread",
    "eof occurred",
)  # fmt: skip


def _no_tls(fault: Fault, address: ServerAddress, _: ServerOptions) -> str:
    reason = _short(fault.detail)
    if any(word in reason.lower() for word in _OURS_WANTED):
        return (
            f"the server at {address.node} requires a client certificate ({reason}); "
            f"set {PREFIX}CLIENT_CERTIFICATE and {PREFIX}CLIENT_KEY"
        )
    if "certificate" in reason.lower():
        return (
            f"the certificate of {address.node} is not trusted ({reason}); set {PREFIX}CA_FILE "
            "to the PEM file of the authority that signed it"
        )
    return (
        f"the server at {address.node} does not speak HTTPS ({reason}); write "
        f"{address.product}+http://… if it is meant to be plain HTTP"
    )


_OURS_WANTED = ("certificate required", "bad certificate", "handshake failure")


def _too_late(address: ServerAddress, options: ServerOptions) -> str:
    return (
        f"the server at {address.node} did not answer in time (a search may take "
        f"{options.timeout_s:g} s); try again, or raise {PREFIX}TIMEOUT_S"
    )


def _another_product(fault: Fault, address: ServerAddress, _: ServerOptions) -> str:
    other = "opensearch" if address.product == "elasticsearch" else "elasticsearch"
    title = {"elasticsearch": "Elasticsearch", "opensearch": "OpenSearch"}[address.product]
    transport = address.node.partition("://")[0]
    return (
        f"the server at {address.node} is not "
        f"{title}{fault.detail and f' but {fault.detail}'}; if it is the other "
        f"product, write {other}+{transport}://…, else correct the address"
    )


def _no_answer(fault: Fault, address: ServerAddress, _: ServerOptions) -> str:
    return (
        f"the server at {address.node} does not speak the protocol of a search server "
        f"({_short(fault.detail)}); correct the host and port of the index"
    )


def _not_all(fault: Fault, address: ServerAddress, _: ServerOptions) -> str:
    return (
        f"the server at {address.node} could not search all of the index "
        f"{address.name!r} ({_short(fault.detail)}); check the server's health and "
        "try again"
    )


def _refused(fault: Fault, address: ServerAddress, options: ServerOptions) -> RiragError:
    reason = reason_of(fault.body)
    kinds = _types(fault.body)
    if any(kind in _BLOCKED for kind in kinds) or "flood-stage" in reason:
        return _blocked(address, reason)
    if "index_closed_exception" in kinds:
        return IndexUnavailableError(_closed(fault, address), code="index.closed")
    if "invalid_index_name_exception" in kinds:
        return InputError(
            f"the server rejects the index name {address.name!r}: {reason}",
            code="index.invalid-name",
        )
    if fault.status in (406, 400) and "media_type" in " ".join(kinds):
        return IndexUnavailableError(
            _another_product(Fault("product"), address, options), code="engine.other-product"
        )
    telling = _BY_STATUS.get(fault.status)
    if telling:
        return telling(reason, address, options)
    return IndexUnavailableError(
        f"the server at {address.node} rejected a request for the index "
        f"{address.name!r} (status {fault.status}: {reason})",
        code="engine.refused",
    )


_UNREADABLE = re.compile(r"FORBIDDEN/\d+/index (read|metadata) \(api\)")
"""How a block tells what it forbids, where that is more than to write."""
_BLOCKED = ("cluster_block_exception", "index_create_block_exception")


def _types(body: Any) -> list[str]:
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return []
    causes = [one for one in error.get("root_cause", ()) if isinstance(one, dict)]
    return [str(one.get("type")) for one in (error, *causes)]


def _blocked(address: ServerAddress, reason: str) -> RiragError:
    unreadable = _UNREADABLE.search(reason)
    if unreadable:
        return IndexUnavailableError(
            _unreadable(address, unreadable[1], reason), code="engine.refused"
        )
    full = "flood-stage" in reason or "disk" in reason
    what = "has too little disk left" if full else "keeps the index read-only"
    then = "free some space there" if full else "remove the block"
    return StorageError(
        f"the server at {address.node} {what} ({reason}); {then} and run the same command again"
    )


def _unreadable(address: ServerAddress, what: str, reason: str) -> str:
    reading = "reading the metadata of" if what == "metadata" else "reading"
    return (
        f"a block on the server at {address.node} forbids {reading} the index {address.name!r} "
        f"({reason}); remove the setting index.blocks.{what} there and run the same command again"
    )


def _closed(fault: Fault, address: ServerAddress) -> str:
    closed = fault.body["error"].get("index", address.name)
    return (
        f"{closed}, which {address.url} needs, is closed on the server; open it there "
        f"with POST /{closed}/_open, and run the same command again"
    )


def _unauthenticated(reason: str, address: ServerAddress, options: ServerOptions) -> RiragError:
    names = f"{PREFIX}API_KEY, or {PREFIX}USER and {PREFIX}PASSWORD"
    if not (options.api_key or options.user):
        return IndexUnavailableError(
            f"the server at {address.node} asks for credentials; set {names}",
            code="engine.credentials",
        )
    what = "API key" if options.api_key else f"user {options.user!r} or its password"
    return IndexUnavailableError(
        f"the server at {address.node} rejects the {what} ({reason}); set {names} again",
        code="engine.credentials",
    )


def _forbidden(reason: str, address: ServerAddress, options: ServerOptions) -> RiragError:
    who = "API key" if options.api_key else f"user {options.user!r}" if options.user else "caller"
    return IndexUnavailableError(
        f"the {who} lacks a permission on the index {address.name!r} at "
        f"{address.node} ({reason}); grant it, or use another one",
        code="engine.forbidden",
    )


def _missing(reason: str, address: ServerAddress, _: ServerOptions) -> RiragError:
    return NotFoundError(
        f"the server at {address.node} does not have what was requested in the index "
        f"{address.name!r} ({reason})"
    )


def _conflict(reason: str, address: ServerAddress, _: ServerOptions) -> RiragError:
    return ConflictError(
        f"another process changed the index {address.name!r} at {address.node} in the "
        f"meantime ({reason}); run the same command again"
    )


def _too_large(_: str, address: ServerAddress, __: ServerOptions) -> RiragError:
    return StorageError(
        f"the server at {address.node} rejected a request as too large; raise its "
        "setting http.max_content_length and run the same command again"
    )


def _busy(reason: str, address: ServerAddress, _: ServerOptions) -> RiragError:
    return IndexUnavailableError(
        f"the server at {address.node} cannot take the request now ({reason}); try again later",
        code="engine.busy",
    )


_BY_STATUS = {
    401: _unauthenticated,
    403: _forbidden,
    404: _missing,
    409: _conflict,
    413: _too_large,
    429: _busy,
    502: _busy,
    503: _busy,
    504: _busy,
}
