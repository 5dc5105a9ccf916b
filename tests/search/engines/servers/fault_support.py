"""What tests of faults and of requests share: ways into an index, and a client without a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from engine_samples import HashedWords, IndexUnderTest, put, texts
from extras import require

import search
from search.engines.servers import ServerAddress, ServerBackend, ServerOptions
from search.engines.servers.connection import client_of
from search.engines.servers.connection.client import Client
from search.errors import RiragError

SECRETS = ("s3cret", "c2VjcmV0")
"""Passwords and keys of these tests; no message may hold one."""


@dataclass(frozen=True)
class ServerIndex(IndexUnderTest):
    """An index on a server, and how it is reached."""

    options: ServerOptions


def unconnected(product: str, *version: int) -> Client:
    """A client that sends nothing, and takes its server for one of a version."""
    require({"elasticsearch": "elasticsearch", "opensearch": "opensearchpy"}[product])
    client = client_of(ServerAddress.parse(f"{product}+http://h:9200/rules"), ServerOptions())
    client._version = version
    return client


def at(url: str, **options: Any) -> ServerIndex:
    """An index on a server, reached with these options."""
    chosen = ServerOptions(**options)
    return ServerIndex(ServerBackend(chosen), url, chosen)


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
