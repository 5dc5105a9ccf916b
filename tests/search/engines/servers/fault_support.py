"""What the tests of faults share: one refusal, from every way into an index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from engine_samples import HashedWords, IndexUnderTest, put, texts

import search
from search.engines.servers import ServerBackend, ServerOptions
from search.errors import RiragError

SECRETS = ("s3cret", "c2VjcmV0")
"""Passwords and keys of these tests; no message may hold one."""


@dataclass(frozen=True)
class ServerIndex(IndexUnderTest):
    """An index on a server, and how it is reached."""

    options: ServerOptions


def at(url: str, **options: Any) -> ServerIndex:
    """An index on a server, reached with these options."""
    chosen = ServerOptions(**options)
    return ServerIndex(ServerBackend(url.partition("+")[0], chosen), url, chosen)


def sentence(work: Callable[[], object], kind: type[RiragError] = RiragError, *secrets: str) -> str:
    """Run what must be refused; return its message, checked to be one plain sentence."""
    with pytest.raises(kind) as refusal:
        work()
    message = str(refusal.value)
    assert refusal.value.exit_code != 0
    assert "\n" not in message
    assert not [word for word in (*SECRETS, *secrets) if word in message], message
    assert "Traceback" not in message and "object at 0x" not in message, message
    return message


def opened(index: ServerIndex) -> None:
    """Open it as every command does that searches."""
    search.open(index.url, encoder=HashedWords(), server=index.options).close()


def loaded(index: ServerIndex) -> None:
    """Load a document into it."""
    with index.begin() as load:
        put(load, texts("A", "a rule of a load"))
        load.commit()


def asked(index: ServerIndex) -> None:
    """Ask whether it exists."""
    index.backend.exists(index.url)


EVERY_WAY = (opened, loaded, asked)
"""Steps that need the server."""
