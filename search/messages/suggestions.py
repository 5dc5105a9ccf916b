"""The sentence that refuses a name, with the known one that is nearest."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

LEAST_ALIKE = 0.5
"""Names less alike than this (difflib's ratio) are no slip of the hand: all known ones are told."""


def unknown_name(kind: str, name: str, known: Sequence[str], prefix: str = "") -> str:
    """Return what to tell of a name that is not known: the nearest known one, or all of them.

    Args:
        kind: what it is a name of.
        name: the name.
        known: those that are.
        prefix: begins all of the names, and says nothing of how near they are.
    """
    endings = [one.removeprefix(prefix) for one in known]
    near = get_close_matches(name.removeprefix(prefix), endings, n=1, cutoff=LEAST_ALIKE)
    if near:
        return f"unknown {kind} {name!r}; did you mean {prefix + near[0]!r}?"
    return f"unknown {kind} {name!r}; choose one of {', '.join(known)}."
