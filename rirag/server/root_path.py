"""The path below which readers reach the server, for every address that it writes.

Inside, each path begins at `/`: `PublicAddress` takes the root path from requests, and sets it here
for as long as a request lasts.
"""

from __future__ import annotations

import re
from contextvars import ContextVar

ROOT: ContextVar[str] = ContextVar("root", default="")
"""Such as `/rirag`; empty: the server has its host name to itself."""

PATTERN = re.compile(r"(?:/[A-Za-z0-9._~-]+)+/?")
"""A root path, of characters that need no percent-encoding."""


def rooted(path: str) -> str:
    """Return a path of the server as readers reach it."""
    return ROOT.get() + path
