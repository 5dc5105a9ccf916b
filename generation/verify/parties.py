"""Finds a duty that a statement puts on the one to whom it is owed: the two parties swapped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generation.verify.records import Finding
from generation.verify.sources import Window

_BOUND = re.compile(
    r"\b(?P<who>[^\W\d_]+) (?:must|shall|should|may|will)(?: not)?"
    r"(?: [^\W\d_]+ly)? (?P<act>(?:be )?[^\W\d_]+)"
)
"""A noun, a word of obligation, and what is to be done: `firm must not unduly delay`."""

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Bonds:
    """Who is bound to do what in a text, and where its words stand."""

    first: Mapping[str, Mapping[str, int]]
    """Act → who is bound to do it → where the first words that say so end."""
    last: Mapping[str, int]
    """Word → where it begins for the last time."""

    def is_behind(self, word: str, place: int) -> bool:
        """Tell whether a word stands behind a place."""
        return self.last.get(word, -1) >= place


def swapped_parties(claim: str, window: Window) -> list[Finding]:
    """Return a duty, ban or leave that changes sides.

    Only what cannot be meant otherwise is told: the same act, of another one than in the passage,
    and each of the two stands behind the act where the other one is bound. Whoever is named by a
    pronoun or another noun is not compared.

    Args:
        claim: the statement, folded.
        window: the nearest words of the passage.
    """
    said, there = _bonds(claim), _bonds(window.text)
    for act, ours in said.first.items():
        theirs = there.first.get(act, {})
        pairs = ((who, other) for who in ours if who not in theirs for other in theirs)
        for who, other in pairs:
            if said.is_behind(other, ours[who]) and there.is_behind(who, theirs[other]):
                message = f"It binds “{who}”, where the passage binds “{other}”."
                return [Finding("force", message)]
    return []


def _bonds(text: str) -> _Bonds:
    first: dict[str, dict[str, int]] = {}
    for found in _BOUND.finditer(text):
        first.setdefault(found["act"], {}).setdefault(_bare(found["who"]), found.end())
    return _Bonds(first, {_bare(found[0]): found.start() for found in _WORD.finditer(text)})


def _bare(word: str) -> str:
    return word.removesuffix("s")
