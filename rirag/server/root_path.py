"""The path below which readers reach the server, for every address that it writes.

Inside, each path begins at `/`: `PublicAddress` takes the root path away, and notes it here.
"""

from __future__ import annotations

from contextvars import ContextVar

ROOT: ContextVar[str] = ContextVar("root", default="")
"""Such as `/law`; empty: the server has its host name to itself."""


def rooted(path: str) -> str:
    """Return a path of the server as readers reach it."""
    return ROOT.get() + path
