"""What a server says where it refuses or fails, in whatever shape it says so."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

_TABLE = tomllib.loads((files(__package__) / "faults.toml").read_text(encoding="utf-8"))
LONGEST_READ = 2000
"""Characters of a server's words that are looked at."""

_DEPTH = 5

_KINDS = {
    name: (one["status"], one.get("always", ()), re.compile("|".join(one["match"]), re.IGNORECASE))
    for name, one in _TABLE.items()
    if isinstance(one, dict)
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A refusal or failure of a server."""

    status: int
    """Of HTTP, or what the body says in its place; 0: neither tells."""
    reason: str
    """The server's own words; empty: it has none."""
    names: tuple[str, ...] = ()
    """Fields of the request that it points to, dots between levels."""
    codes: tuple[str, ...] = ()
    """Its own words for the kind of the failure."""

    @property
    def said(self) -> str:
        """All that it says, to be searched."""
        return " ".join((self.reason, *self.codes))[:LONGEST_READ]

    def is_a(self, kind: str) -> bool:
        """Return whether it is of a kind of `faults.toml`."""
        statuses, always, match = _KINDS[kind]
        known = self.status in statuses and match.search(self.said) is not None
        return known or self.status in always

    @property
    def is_final(self) -> bool:
        """Whether asking in another way cannot help."""
        return self.status in (401, 402, 407, 408, 413, 429) or any(map(self.is_a, _KINDS))


class ServerError(Exception):
    """A server reported a failure in the body of a reply that HTTP calls good."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


def fault_in(body: Any) -> Fault | None:
    """Return the failure that a body with status 200 reports in place of a reply; None for none."""
    if isinstance(body, list) and body and isinstance(body[0], Mapping):
        body = body[0]
    if not isinstance(body, Mapping):
        return None
    status = body.get("base_resp") if isinstance(body.get("base_resp"), Mapping) else {}
    if body.get("error") or body.get("errors") or (status and status.get("status_code")):
        return fault_of(0, body)
    if body.get("choices") is not None or body.get("object") == "error":
        return fault_of(0, body) if body.get("object") == "error" else None
    if any(isinstance(body.get(name), str | list) and body[name] for name in _TABLE["words"]):
        return fault_of(0, body)
    return None


def fault_of(status: int, body: Any, otherwise: str = "") -> Fault:
    """Return what the body of an error says.

    Args:
        status: of HTTP; 0: it was a good one, and the body may name another.
        body: as JSON gives it, or a text.
        otherwise: the words where the body has none.
    """
    words = next(_words(body), "") or otherwise
    objects = list(_objects(body)) if isinstance(body, Mapping | list) else []
    names = [name for one in objects for name in (one.get("param"), ".".join(_location(one)))]
    found = [one.get(name) for one in objects for name in _TABLE["codes"]]
    told = [str(one) for one in found if isinstance(one, str | int) and not isinstance(one, bool)]
    codes = tuple(dict.fromkeys(told))
    numbers = [int(code) for code in codes if re.fullmatch(r"[45]\d\d", code)]
    return Fault(
        status or next(iter(numbers), 0),
        " ".join(words.split()),
        tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name)),
        tuple(code for code in codes if not code.isdigit()),
    )


def fault_of_error(error: Exception) -> Fault:
    """Return what an error of the client says."""
    if isinstance(error, ServerError):
        return error.fault
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", 0)
    if response is None:
        return fault_of(status, getattr(error, "body", None), str(getattr(error, "message", error)))
    return fault_of_response(status, response)


def fault_of_response(status: int, response: Any) -> Fault:
    """Return what a response of the HTTP library says, read as it is."""
    try:
        text = response.text.strip()[:100_000]
    except Exception:  # closed before it was read, or in no known encoding
        text = ""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = _bare(text)
    return fault_of(status, body, getattr(response, "reason_phrase", ""))


def _bare(text: str) -> str:
    """Return the words of a page, its title first; other texts as they are."""
    if not text.lstrip().startswith("<"):
        return text
    title = re.search(r"<title[^>]*>([^<]{1,200})", text, re.IGNORECASE)
    return title[1] if title else re.sub(r"<[^>]{0,200}>", " ", text[:1000])


def _words(body: Any, depth: int = 0) -> Iterator[str]:
    """Yield the words of an error, those in the usual places first."""
    if isinstance(body, str):
        yield from [body] if body.strip() else []
    elif depth > _DEPTH:
        return
    elif isinstance(body, list):
        said = "; ".join(filter(None, (_located(one, depth) for one in body[:3])))
        yield from [said] if said else []
    elif isinstance(body, Mapping):
        inside = body.get("error")
        if isinstance(inside, Mapping | list):
            yield from _words(inside, depth + 1)
        for name in _TABLE["words"]:
            yield from _words(body.get(name), depth + 1)


def _located(one: Any, depth: int) -> str:
    """Return the words of one of several errors, with the field that they are about."""
    said = next(_words(one, depth + 1), "")
    where = ".".join(_location(one)) if isinstance(one, Mapping) else ""
    return f"{where}: {said}" if where and where not in said else said


def _location(one: Mapping[str, Any]) -> list[str]:
    loc = one.get("loc")
    return [str(part) for part in loc if part != "body"] if isinstance(loc, list) else []


def _objects(body: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a body, the outer ones first."""
    if isinstance(body, Mapping):
        yield body
    inside = body.values() if isinstance(body, Mapping) else body[:10]
    for one in inside:
        if isinstance(one, Mapping | list) and depth < _DEPTH:
            yield from _objects(one, depth + 1)
