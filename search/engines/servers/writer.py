"""The right to change an index: one process at a time has it, as long as it gives signs of life.

The holder writes the time into a document every few seconds. Whoever finds an old time, or the
name of a process that is dead, may take the lease. Times come from the clocks of the machines,
which must agree within some seconds.
"""

from __future__ import annotations

import hashlib
import os
import socket
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from search.engines.servers.connection.client import Client
from search.engines.servers.notes import Note, Notes
from search.errors import IndexBusyError, RiragError

WRITER = "writer"
"""Name of the document that is the lease."""
EXPIRES_AFTER_S = 60.0
"""Seconds without a sign of life after which a holder counts as dead."""
SIGN_EVERY_S = 12.0
"""Seconds between signs of life: four may fail, one after the other."""

_ATTEMPTS = 20
"""Times that others may be faster, or end their load at the wrong moment, before we give up."""

_held: set[str] = set()
"""Tokens of the leases that this process holds."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lease."""

    token: str
    host: str
    pid: int
    machine: str
    seen: float
    """When it last gave a sign of life, in seconds since 1970."""

    @classmethod
    def of(cls, note: Note) -> Holder:
        """Read the document of a lease."""
        return cls(**{name: note.source[name] for name in cls.__dataclass_fields__})

    def is_alive(self) -> bool:
        """Return whether the holder is still at work."""
        if self.machine == _machine():
            if self.pid == os.getpid():
                return self.token in _held
            if not _is_running(self.pid):
                return False
        return self.silent_s() < EXPIRES_AFTER_S

    def silent_s(self) -> float:
        """Return how many seconds ago it last gave a sign of life."""
        return max(0.0, time.time() - self.seen)


class Writer:
    """Holds the right until `leave`; a thread gives the signs of life."""

    def __init__(self, client: Client) -> None:
        """Take the right.

        Raises:
            IndexBusyError: another process has it.
        """
        self._url = client.address.url
        self.notes = Notes(client)
        self._token = uuid.uuid4().hex
        self._stop = threading.Event()
        self._lost = False
        self._thread = threading.Thread(target=self._give_signs, name="lease", daemon=True)
        _held.add(self._token)
        try:
            self._acquire()
        except BaseException:
            _held.discard(self._token)
            raise
        self._thread.start()

    def check(self) -> None:
        """Make sure that nobody took the right from us, thinking us dead.

        Raises:
            IndexBusyError: somebody did.
        """
        if not self._is_held():
            raise IndexBusyError(
                f"this process gave no sign of life for {EXPIRES_AFTER_S:.0f} s (the "
                "machine may have been suspended), so another one may be loading "
                f"into {self._url}; wait until it is done, then try again"
            )

    def leave(self, *, keep_vectors: bool) -> None:
        """Give the right back; what cannot be told to the server expires by itself.

        Args:
            keep_vectors: whether vectors that wait for the next load stay on the server.
        """
        with suppress(RiragError):
            if self._is_held() and not (keep_vectors and self.notes.count("vector")):
                self._stop_signs()
                self.notes.drop()
        self._stop_signs()
        with suppress(RiragError):
            if note := self._own():
                self.notes.delete(note)

    def _acquire(self) -> None:
        """Write the lease, unless another process holds it and is alive."""
        holder = faster = Holder("", "another machine", 0, "", time.time())
        for _ in range(_ATTEMPTS):
            note = self.notes.get(WRITER)
            holder = Holder.of(note) if note else faster
            if holder.token == self._token:
                return
            if note is None:
                self.notes.ensure()
                self.notes.create(WRITER, self._sign())
            elif holder.is_alive():
                break
            else:
                self.notes.replace(note, self._sign())
        silent = holder.silent_s()
        raise IndexBusyError(
            f"process {holder.pid} on {holder.host} is loading into {self._url} (last sign of life "
            f"{silent:.0f} s ago); wait until it is done, or, if it died, "
            f"{max(1.0, EXPIRES_AFTER_S - silent):.0f} s, and try again"
        )

    def _own(self) -> Note | None:
        """Return the lease as it is on the server, if it is ours."""
        note = self.notes.get(WRITER)
        return note if note is not None and Holder.of(note).token == self._token else None

    def _is_held(self) -> bool:
        return self._own() is not None and not self._lost

    def _give_signs(self) -> None:
        while not self._stop.wait(SIGN_EVERY_S) and not self._lost:
            with suppress(RiragError):  # the next sign may get through
                if note := self._own():
                    self.notes.replace(note, self._sign())
                else:
                    self._lost = True

    def _stop_signs(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        _held.discard(self._token)

    def _sign(self) -> dict[str, Any]:
        holder = Holder(self._token, socket.gethostname(), os.getpid(), _machine(), time.time())
        return {"kind": "lease", **asdict(holder)}


def _machine() -> str:
    """Return a name under which process numbers mean the same processes.

    The host's name alone will not do: containers may share it, and each counts its own processes.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:  # not Linux: no containers to tell apart
        boot, space = f"{uuid.getnode():x}", ""
    return hashlib.sha256(f"{socket.gethostname()} {boot} {space}".encode()).hexdigest()[:16]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
