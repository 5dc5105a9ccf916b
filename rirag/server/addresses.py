"""The addresses that the server writes: below the root path, as readers reach them.

Inside, each path begins at `/`: `PublicAddress` takes the root path away, and notes it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from urllib.parse import quote, urlencode

ROOT: ContextVar[str] = ContextVar("root", default="")
"""Such as `/law`; empty: the server has its host name to itself."""

ORIGIN: ContextVar[str] = ContextVar("origin", default="")
"""Scheme and host, such as `https://example.com`; empty: nobody can be sent here."""


DAY: ContextVar[Mapping[str, str]] = ContextVar("day", default=MappingProxyType({}))
"""Parameters of a page that name the day of the law, `as_of` or `version`: its links keep them."""


def rooted(path: str) -> str:
    """Return a path of the server as readers reach it."""
    return ROOT.get() + path


def job_address(job_id: str) -> str:
    """Return where the API shows a job, inside the server."""
    return f"/v1/jobs/{job_id}"


def of_day(path: str, **parameters: object) -> str:
    """Return the address of a page of the day of the law in hand, unless a parameter names one."""
    given = {} if {"as_of", "version"} & {*parameters} else DAY.get()
    pairs = {name: value for name, value in {**parameters, **given}.items() if value != ""}
    return rooted(path) + (f"?{urlencode(pairs)}" if pairs else "")


def document_address(document_id: str, **parameters: object) -> str:
    """Return the address of a document."""
    return of_day(f"/d/{quote(document_id, safe='')}", **parameters)


def rule_address(document_id: str, *number: str, **parameters: object) -> str:
    """Return the permanent address of a rule, or of a page below it."""
    path = "/".join(quote(one, safe="") for one in (document_id, *number))
    return of_day(f"/d/{path}", **parameters)
