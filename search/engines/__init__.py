"""Engines: where passages and vectors live. One protocol, one folder or module an engine."""

from __future__ import annotations

import re

from search.engines.protocol import (
    SCHEMA_VERSION,
    Backend,
    EncoderIdentity,
    Engine,
    IndexDescription,
    LegRequest,
    LegResults,
    Load,
    Record,
)
from search.errors import InputError

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://")


def locate(url: str) -> Backend:
    """Return the backend for an index URL: a folder, or `SCHEME://…`.

    Raises:
        InputError: no engine has this scheme.
    """
    scheme = _SCHEME.match(url)
    if scheme is None:
        from search.engines.embedded import EmbeddedBackend

        return EmbeddedBackend()
    raise InputError(
        f"no engine is installed for {scheme[1]}:// in this version; "
        "give --index a folder, such as rirag-index"
    )


__all__ = [
    "SCHEMA_VERSION",
    "Backend",
    "EncoderIdentity",
    "Engine",
    "IndexDescription",
    "LegRequest",
    "LegResults",
    "Load",
    "Record",
    "locate",
]
