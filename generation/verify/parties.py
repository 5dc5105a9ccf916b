"""Finds a duty that a statement puts on the one to whom it is owed: the two parties swapped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generation.verify.records import Finding
from generation.verify.sources import Window

_BOUND = re.compile(
    r"\b(?P<who>[^\W\d_]+) (?:must|shall|should|may|will)(?: not)?"
    r"(?: [^\W\d_]+ly)? (?P<act>(?:be )?[^\W\d_]+)"
)
"""A noun, a word of obligation, and what is to be done: `firm must not unduly delay`."""


@dataclass(frozen=True, slots=True)
class _Bond:
    """Who is bound to do what."""

    who: str
    act: str
    behind: frozenset[str]
    """All words that follow."""


def swapped_parties(claim: str, window: Window) -> list[Finding]:
    """Return a duty, ban or leave that changes sides.

    Only what cannot be meant otherwise is told: the same act, of another one than in the passage,
    and each of the two stands behind the act where the other one is bound. Whoever is named by a
    pronoun or another noun is not compared.

    Args:
        claim: the statement, folded.
        window: the nearest words of the passage.
    """
    there = list(_bonds(window.text))
    for said in _bonds(claim):
        same = [one for one in there if one.act == said.act]
        if any(one.who == said.who for one in same):
            continue
        for one in same:
            if one.who in said.behind and said.who in one.behind:
                message = f"It binds “{said.who}”, where the passage binds “{one.who}”."
                return [Finding("force", message)]
    return []


def _bonds(text: str) -> Iterator[_Bond]:
    for found in _BOUND.finditer(text):
        behind = re.findall(r"[^\W\d_]+", text[found.end() :])
        yield _Bond(_bare(found["who"]), found["act"], frozenset(map(_bare, behind)))


def _bare(word: str) -> str:
    return word.removesuffix("s")
