"""The end of the time that a whole reply may take, however busily a server sends.

The client times each pause between two bytes, so that a server which sends one byte now and then
could go on for ever. An event loop breaks such a call off by itself; a thread that waits for bytes
is woken by shutting its connection down.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Self

_CONNECTED = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")
"""Events of the HTTP library that bring a connection to watch."""


class TimeOverError(BaseException):
    """There is no time for a further attempt; no `Exception`, after which the client makes one."""


class Deadline:
    """Shuts the connections of one call down when its time is over; a context manager."""

    def __init__(self, seconds: float) -> None:
        """Prepare.

        Args:
            seconds: from the beginning of the `with` block.
        """
        self.passed = False
        """Whether the time is over."""
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._timer.cancel()

    def watch(self, request: Any) -> None:
        """Take note of the connections of a request; an event hook of the HTTP client.

        Raises:
            TimeOverError: the time was over before this attempt.
        """
        if self.passed:
            raise TimeOverError
        request.extensions = {**request.extensions, "trace": self._take_note}

    def _take_note(self, event: str, told: Mapping[str, Any]) -> None:
        if not event.endswith(_CONNECTED):
            return
        opened = told["return_value"].get_extra_info("socket")
        with self._lock:
            self._open.append(opened)
            late = self.passed
        if late:
            _shut(opened)

    def _end(self) -> None:
        with self._lock:
            self.passed = True
            still_open = tuple(self._open)
        for one in still_open:
            _shut(one)


def _shut(opened: socket.socket) -> None:
    """End both directions; the number of the connection stays taken until its owner closes it."""
    with suppress(OSError):
        # Not that of a TLS socket, which would take its state from under the thread that reads.
        socket.socket.shutdown(opened, socket.SHUT_RDWR)
