"""Define the modes of answering, by name.

A mode yields the calls that it wants made, and calls no model itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from generation.mode import Mode
from generation.modes.advisor import Advisor
from generation.modes.delegate import Delegate
from generation.modes.extractive import Extractive
from generation.modes.multi_step import MultiStep
from generation.modes.one_prompt import FewShot, Rag, ZeroShot
from search.errors import InputError

MODES: Mapping[str, Mode] = {mode.name: mode for mode in (
    Extractive(), Rag(), Advisor(), ZeroShot(), FewShot(), Delegate(), MultiStep(),
)}  # fmt: skip
"""Name → mode of answering; a new one is a file in this folder and an entry here."""


def load_mode(name: str) -> Mode:
    """Return the mode of a name; an unknown one is an `InputError` that lists them."""
    mode = MODES.get(name)
    if mode is None:
        raise InputError(
            f"Unknown mode {name!r}; choose one of {', '.join(MODES)}.", code="mode.unknown"
        )
    return mode
