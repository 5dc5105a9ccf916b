"""Recognises a model that writes the same words over and over, while it writes."""

from __future__ import annotations

import re
from collections.abc import Sequence

FEWEST_WORDS = 4
"""Less than this may be said twice: "Yes." below one heading and the next."""

ROUNDS = 3
"""So often a text in the writing must come before its writer is taken to run in a loop: twice may
be emphasis."""

LONGEST_WRITTEN = 4_000
"""Characters of a round that are looked at while a text is written, about a page."""

_END = 40
"""Characters at the end of a text whose last occurrence before tells how long a round may be."""

_WORD = re.compile(r"[^\W\d_]+")


def runs_in_a_loop(text: str) -> bool:
    """Return whether a text in the writing ends in the same words `ROUNDS` times."""
    window = text[-LONGEST_WRITTEN * ROUNDS :]
    before = window.rfind(window[-_END:], 0, len(window) - 1)
    if before < 0:
        return False
    length = len(window) - before - len(window[-_END:])
    said = window[-length:]
    return window.endswith(said * ROUNDS) and says_something([said])


def says_something(said: Sequence[str]) -> bool:
    """Return whether texts have words enough to be a repetition where they come again."""
    return len(_WORD.findall(" ".join(said))) >= FEWEST_WORDS
