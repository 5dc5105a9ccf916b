"""Follow the sentence that answers best to the rules that it names, for what it does not state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from generation.extract.asked import AskedKind
from generation.extract.not_stated import STATES
from generation.library import Library
from generation.text.values import values_in
from search.records import Passage

FOLLOWED: frozenset[AskedKind] = frozenset({"time", "money", "percent"})
"""Kinds that are looked for in another rule; numbers of some sort are in nearly each."""


def rules_that_state(
    kinds: Iterable[AskedKind], passage: Passage, quoted: str, library: Library
) -> list[Passage]:
    """Return the rules that quoted words name and that have a kind of value asked for.

    A question for a retention period is answered by "the period in Rule 3.3.2" only there.

    Args:
        kinds: asked for, and in no passage quoted.
        passage: that is quoted.
        quoted: its words.
        library: finds the rules.
    """
    wanted = frozenset(value for kind in FOLLOWED.intersection(kinds) for value in STATES[kind])
    if not wanted:
        return []
    named = {one.id: one for one in library.cited([replace(passage, text=quoted)])}
    return [one for key, one in named.items() if key != passage.id and wanted & values_in(one.text)]
