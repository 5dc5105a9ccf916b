"""How much memory this process uses, and how much of it is mapped files."""

from __future__ import annotations

import resource
import sys
from dataclasses import dataclass
from pathlib import Path

_STATUS = Path("/proc/self/status")
MIB = 2**20


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Resident memory in MiB. The parts are None where the system does not tell them apart."""

    peak: float
    """The most that was ever resident."""
    resident: float | None = None
    anonymous: float | None = None
    """Held by the process: heap, stacks."""
    mapped: float | None = None
    """Pages of files (libraries, index): the system takes them back when it needs room."""


def memory_use() -> MemoryUse:
    """Measure this process."""
    if not _STATUS.exists():
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # Kilobytes, but for macOS, which counts bytes.
        return MemoryUse(peak / (MIB if sys.platform == "darwin" else 1024))
    # Not getrusage: there a process inherits the peak of the one that started it.
    fields = dict(line.split(":", 1) for line in _STATUS.read_text().splitlines())
    names = ("VmHWM", "VmRSS", "RssAnon", "RssFile")
    return MemoryUse(*(int(fields[name].split()[0]) / 1024 for name in names))
