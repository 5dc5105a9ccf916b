"""Words between quotation marks: found in a statement, and looked up in the sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generation.statements.forces import NEGATIONS
from generation.statements.words import folded

LONGEST_ELISION_TURNED = 4
"""Words: where an ellipsis stands for so few and one of them is a negation, it hides that."""

_ELLIPSIS = re.compile(r"\[\s?(?:…|\.\.\.)\s?\]|…|\.\.\.|\[[^\[\]]{0,80}\]")
"""Also an insertion in square brackets: the words in it are the writer's own."""

_EDGES = " .,;:-!?'"
_OPENING = re.compile(r"[“«„\"]")
_CLOSING = {"“": "”", "«": "»", "„": "“”"}


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words between one pair of quotation marks."""

    text: str
    start: int
    end: int
    """Offsets in the statement, quotation marks included."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The stretches between ellipses, folded, without punctuation at their ends."""
        parts = (folded(part).strip(_EDGES) for part in _ELLIPSIS.split(self.text))
        return tuple(part for part in parts if part)


def quotations(text: str) -> list[Quoted]:
    """Return what a text quotes, outermost marks only; apostrophes and single marks are none."""
    found: list[Quoted] = []
    unclosed: set[str] = set()
    end = 0
    for mark in _OPENING.finditer(text):
        place, char = mark.start(), mark[0]
        within_word = char == '"' and text[max(place - 1, 0) : place].isalnum()
        if place < end or char in unclosed or within_word:
            continue
        closing = text.find('"', place + 1) if char == '"' else _closing(text, place, char)
        if closing < 0:
            unclosed.add(char)  # nor will a later one be closed
            continue
        end = closing + 1
        found.append(Quoted(text[place + 1 : closing], place, end))
    return found


def _closing(text: str, start: int, opening: str) -> int:
    """Return where the quotation ends: its own closing mark, else the last one there is."""
    closing, depth, last = _CLOSING[opening], 0, -1
    for place in range(start, len(text)):
        char = text[place]
        if place > start and char in closing:
            depth, last = depth - 1, place
            if depth == 0:
                return place
        elif char == opening:
            depth += 1
    return last


def missing_runs(quoted: Quoted, sources: Sequence[str]) -> list[str]:
    """Return the stretches of a quotation that no source holds.

    All stretches of a quotation must come from one of the folded sources.
    """
    missing = [[run for run in quoted.runs if not _holds(source, run)] for source in sources]
    return min(missing, key=len, default=list(quoted.runs))


def hidden_negation(quoted: Quoted, sources: Sequence[str]) -> str:
    """Return the few words that an ellipsis leaves out if one is a negation; else nothing."""
    for source in sources:
        for between in _elided(quoted.runs, source):
            words = between.split()
            if len(words) <= LONGEST_ELISION_TURNED and NEGATIONS & set(words):
                return between.strip()
    return ""


def _elided(runs: Sequence[str], source: str) -> Iterator[str]:
    place = 0
    for run, following in pairwise(runs):
        start = source.find(run, place)
        found = source.find(following, start + len(run)) if start >= 0 else -1
        if found < 0:
            return
        # Words that occur twice are those nearest to what follows.
        nearest = source.rfind(run, start, found) + len(run)
        yield source[nearest:found]
        place = found


def _holds(source: str, run: str) -> bool:
    place = source.find(run)
    while place >= 0:
        end = place + len(run)
        before = source[place - 1 : place] if place else ""
        if not ((before.isalnum() and run[0].isalnum())
                or (source[end : end + 1].isalnum() and run[-1].isalnum())):  # fmt: skip
            return True
        place = source.find(run, place + 1)
    return False
