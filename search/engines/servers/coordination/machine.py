"""Which machine this is, and whether one of its processes is alive."""

from __future__ import annotations

import hashlib
import os
import socket
import uuid
from pathlib import Path


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
