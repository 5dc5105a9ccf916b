"""One thing that `rirag doctor` checked; in a module of its own that imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked."""

    what: str
    ok: bool
    detail: str
    mend: str = ""
    """The command or setting that mends it."""
