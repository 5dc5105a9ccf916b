"""Connections that hand a small request to the operating system in one piece.

Python sends the head of a request and its body one after the other. The server then wakes up for a
head that it can do nothing with, and on a busy machine takes the processor from us before the body
is sent: on two busy cores a question's `_msearch` took 10 to 20 % longer.
"""

from __future__ import annotations

from typing import Any

from urllib3.connection import HTTPConnection, HTTPSConnection

SMALL = 64 * 2**10
"""Bytes up to which a request is put together; copying a large one costs more than it saves."""


class _OneWrite:
    """Holds back what a request sends, and what a proxy is told before it, until it is complete."""

    _held: list[bytes] | None = None

    def request(self, *arguments: Any, **named: Any) -> None:
        held: list[bytes] = []
        self._held = held
        try:
            super().request(*arguments, **named)  # type: ignore[misc]
        finally:
            self._held = None
        for piece in joined(held):
            super().send(piece)  # type: ignore[misc]

    def send(self, data: Any) -> None:
        if self._held is None:
            super().send(data)  # type: ignore[misc]
        else:
            self._held.append(data)


class _OneWriteConnection(_OneWrite, HTTPConnection):  # type: ignore[misc]
    """A connection without TLS."""


class _OneWriteTlsConnection(_OneWrite, HTTPSConnection):  # type: ignore[misc]
    """A connection with TLS."""


def write_at_once(pool: Any) -> None:
    """Let the connections that a pool of `urllib3` will open send requests in one piece."""
    tls = issubclass(pool.ConnectionCls, HTTPSConnection)
    pool.ConnectionCls = _OneWriteTlsConnection if tls else _OneWriteConnection


def joined(pieces: list[bytes]) -> list[bytes]:
    """Return the pieces as one, if they are small together."""
    return [b"".join(pieces)] if sum(map(len, pieces)) <= SMALL else pieces
