"""A TCP proxy in front of a server: cuts connections, delays answers, speaks TLS."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

ABORT = struct.pack("ii", 1, 0)
"""SO_LINGER that makes `close` reset the connection, as a broken line does."""


class TcpProxy:
    """Passes connections to a port of this machine; a context manager.

    Args:
        target_port: where the server listens.
        tls: certificate and key for callers; None: they speak as the server does.
    """

    def __init__(self, target_port: int, tls: ssl.SSLContext | None = None) -> None:
        self._target = ("127.0.0.1", target_port)
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._cut_after: int | None = None
        self._for_good = False
        self.passed = 0
        """Bytes that the server was sent, since the last `cut` if there was one."""
        self.delay_s = 0.0
        """Pause before each piece of an answer."""
        self.cuts = 0
        """How many connections were cut."""

    @property
    def port(self) -> int:
        """Where callers connect."""
        return int(self._listener.getsockname()[1])

    def cut(self, after: int, for_good: bool = False) -> None:
        """Cut the connection that carries the byte number `after` from now on to the server.

        Args:
            after: bytes that all callers together may still send.
            for_good: refuse every connection from then on, instead of passing the next.
        """
        with self._lock:
            self._cut_after, self._for_good, self.passed = after, for_good, 0

    def mend(self) -> None:
        """Pass everything again."""
        with self._lock:
            self._cut_after, self._for_good, self.delay_s = None, False, 0.0

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.close()
        for end in list(self._open):
            self._abort(end)

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        try:
            if self._tls is not None:
                caller = self._tls.wrap_socket(caller, server_side=True)
            server = socket.create_connection(self._target)
        except OSError:
            caller.close()
            return
        self._open |= {caller, server}
        threading.Thread(target=self._answer, args=(server, caller), daemon=True).start()
        self._ask(caller, server)

    def _ask(self, caller: socket.socket, server: socket.socket) -> None:
        """Pass what the caller sends, up to the byte where the line is to break."""
        with suppress(OSError):
            while data := caller.recv(65_536):
                allowed = self._allowed(len(data))
                server.sendall(data[:allowed])
                if allowed < len(data):
                    break
        self._abort(caller)
        self._abort(server)

    def _answer(self, server: socket.socket, caller: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65_536):
                time.sleep(self.delay_s)
                caller.sendall(data)
        self._abort(caller)
        self._abort(server)

    def _allowed(self, size: int) -> int:
        """Return how many of these bytes may pass."""
        with self._lock:
            if self._cut_after is None or self.passed + size < self._cut_after:
                self.passed += size
                return size
            allowed = max(0, self._cut_after - self.passed)
            self.cuts += 1
            self.passed = self._cut_after
            if not self._for_good:
                self._cut_after = None
            return min(allowed, size - 1)

    def _abort(self, end: socket.socket) -> None:
        self._open.discard(end)
        with suppress(OSError):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
        end.close()
