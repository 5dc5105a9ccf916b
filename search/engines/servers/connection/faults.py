"""What goes wrong between a client and its server, as errors of rirag: one sentence each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from search.engines.servers.connection.address import PRODUCTS, ServerAddress
from search.engines.servers.connection.options import ServerOptions
from search.errors import IndexUnavailableError, InputError, RiragError, StorageError


class NotFoundError(IndexUnavailableError):
    """The server has no such index or document (status 404)."""


class TooLateError(IndexUnavailableError):
    """The server gave no answer in time."""


Kind = Literal["connection", "tls", "time-out", "product", "answer", "partial", "status"]

_ERRORS: dict[str, type[RiragError]] = {
    one.__name__: one
    for one in (
        IndexUnavailableError, InputError, NotFoundError, StorageError, TooLateError,
    )
}  # fmt: skip
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
    """Return the error for a fault: that of the first row of `faults.toml` that fits."""
    told = _told(fault, address, options)
    row = next(one for one in table()["fault"] if _fits(one, fault, told))
    kind = _ERRORS[row.get("error", "IndexUnavailableError")]
    return kind(row["says"].format_map(told), code=row.get("code", ""))


@cache
def table() -> dict[str, Any]:
    """Read what servers and connections do wrong, and how to word it."""
    return tomllib.loads((files(__package__) / "faults.toml").read_text(encoding="utf-8"))


def product_of_refusal(reason: str) -> str | None:
    """Return which product refuses a request in such words; None where they do not show it.

    A caller without the right to ask for the version is only answered with a refusal.
    """
    refusals = table()["refusals"].items()
    return next((title for title, words in refusals if re.match(words, reason)), None)


def _fits(row: Mapping[str, Any], fault: Fault, told: Mapping[str, Any]) -> bool:
    return (
        row["kind"] == fault.kind
        and fault.status in row.get("status", (fault.status,))
        and told["transport"] == row.get("transport", told["transport"])
        and told["who"] == row.get("who", told["who"])
        and re.search(row.get("match", ""), told["matched"]) is not None
    )


def _told(fault: Fault, address: ServerAddress, options: ServerOptions) -> dict[str, Any]:
    """Return what the rows ask for and their sentences contain; no secret is among it."""
    refused = fault.kind == "status"
    reason = reason_of(fault.body) if refused else _short(fault.detail)
    error = fault.body.get("error") if isinstance(fault.body, dict) else None
    error = error if isinstance(error, dict) else {}
    causes = [one for one in error.get("root_cause", ()) if isinstance(one, dict)]
    types = " ".join(str(one.get("type")) for one in (error, *causes))
    user = f"user {options.user!r}" if options.user else "caller"
    return {
        "node": address.node, "name": address.name, "url": address.url, "product": address.product,
        "title": PRODUCTS[address.product], "transport": address.node.partition("://")[0],
        "other": next(one for one in PRODUCTS if one != address.product),
        "detail": fault.detail, "status": fault.status, "reason": reason,
        "cause": _cause(fault.detail), "matched": f"{types}: {reason}" if refused else fault.detail,
        "closed": error.get("index", address.name), "timeout": options.timeout_s,
        "who": "API key" if options.api_key else user,
    }  # fmt: skip


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


def _wrapped(error: BaseException) -> Iterator[BaseException]:
    # elastic_transport keeps causes in `errors`, opensearch-py in `info`, urllib3 in `args`.
    candidates = [
        *(getattr(error, "errors", None) or ())[:1],
        getattr(error, "info", None),
        *error.args,
        error.__cause__,
    ]
    yield from (one for one in candidates if isinstance(one, BaseException))


def plain(error: BaseException) -> str:
    """Return what happened in the fewest words: those of the innermost exception."""
    told = [_words(one) for one in causes(error)]
    return next((words for words in reversed(told) if words), type(error).__name__)


def _words(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return _NOISE.sub("", _NOISE.sub("", str(text))).strip()
