"""Connections that do not stay open for a client that never finishes the head of its request."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedConnection(H11Protocol):
    """Closes the connection when the head of a request takes too long."""

    head_seconds = 20.0
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Take a piece; what is left of it may be the beginning of a head."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._expect()
        else:
            self._got()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer."""
        self._got()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.head_seconds, self.transport.close)

    def _got(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
