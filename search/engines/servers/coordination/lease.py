"""A lease: one process at a time holds it, as long as it gives signs of life.

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search.engines.servers.coordination.documents import Note, Notes
from search.errors import RiragError


def machine() -> str:
    """Return a name under which process numbers mean the same processes.

    The host's name alone will not do: containers may share it, and each counts its own processes.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:  # not Linux: no containers to tell apart
        boot, space = f"{uuid.getnode():x}", ""
    return hashlib.sha256(f"{socket.gethostname()} {boot} {space}".encode()).hexdigest()[:16]


def is_alive(pid: int) -> bool:
    """Return whether a process of this machine is running."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


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
    """Who holds a lease."""

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
        if self.machine == machine():
            if self.pid == os.getpid():
                return self.token in _held
            if not is_alive(self.pid):
                return False
        return self.silent_s() < EXPIRES_AFTER_S

    def silent_s(self) -> float:
        """Return how many seconds ago it last gave a sign of life."""
        return max(0.0, time.time() - self.seen)


class Lease:
    """Holds a lease until `release`; a thread gives the signs of life."""

    def __init__(self, notes: Notes, name: str) -> None:
        """Prepare a lease, which is a document of the helper index; `acquire` takes it."""
        self.token = uuid.uuid4().hex
        self.name = name
        self._notes = notes
        self._stop = threading.Event()
        self._lost = False
        self._thread = threading.Thread(target=self._give_signs, name=f"lease {name}", daemon=True)

    def acquire(self) -> Holder | None:
        """Take the lease; return who has it instead, if somebody has."""
        _held.add(self.token)
        try:
            holder = self._taken_by_another()
        except BaseException:
            _held.discard(self.token)
            raise
        if holder is None:
            self._thread.start()
        else:
            _held.discard(self.token)
        return holder

    def _taken_by_another(self) -> Holder | None:
        """Try to write the lease; return whose it is, or None: ours."""
        holder = None
        for _ in range(_ATTEMPTS):
            note = self._notes.get(self.name)
            holder = None if note is None else Holder.of(note)
            if holder is not None and holder.token == self.token:
                return None
            if holder is not None and holder.is_alive():
                break
            if note is None:
                self._notes.ensure()
                self._notes.create(self.name, self._source())
            else:
                self._notes.replace(note, self._source())
        return holder or self._nobody()

    def _nobody(self) -> Holder:
        """Return what stands for those who were always faster."""
        return Holder("", "another machine", 0, "", time.time())

    def is_held(self) -> bool:
        """Ask the server whether the lease is still ours."""
        note = self._notes.get(self.name)
        return not self._lost and note is not None and Holder.of(note).token == self.token

    def stop(self) -> None:
        """Give no more signs of life; the lease expires unless the helper index goes first."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        _held.discard(self.token)

    def release(self) -> None:
        """Give the lease back; what cannot be told to the server expires by itself."""
        self.stop()
        try:
            note = self._notes.get(self.name)
            if note is not None and Holder.of(note).token == self.token:
                self._notes.delete(note)
        except RiragError:
            return

    def _give_signs(self) -> None:
        while not self._stop.wait(SIGN_EVERY_S) and not self._lost:
            try:
                note = self._notes.get(self.name)
                if note is None or Holder.of(note).token != self.token:
                    self._lost = True
                else:
                    self._notes.replace(note, self._source())
            except RiragError:
                continue  # the next sign may get through

    def _source(self) -> dict[str, Any]:
        return {
            "kind": "lease",
            "token": self.token,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "machine": machine(),
            "seen": time.time(),
        }
