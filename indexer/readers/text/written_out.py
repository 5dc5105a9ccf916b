"""Text whose numbers their author wrote out before a tab: `1.1.1.(1)`, `Part 1.Chapter 2.3`.

Nothing has to be worked out: each such line opens a passage with the number as it is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from indexer.problems import FEWEST_COUNTED
from indexer.structuring.labels import line_label
from indexer.structuring.line_labels import markdown_heading, written_number
from search.provisions.numbering import COUNTED_WORDS, container_kind, container_rank, segments

NAMED_SECTIONS = frozenset(
    {"background", "definitions", "disclaimer", "glossary", "interpretation", *COUNTED_WORDS}
)
"""Words that open a passage when they come before a tab, alone on a line."""

_WHOLE = re.compile(r"\.(?:\(\w+\)|[A-Z][a-z])")
"""In `1.1.1.(1)` and `Part 1.Chapter 2`: nobody writes so whose numbers say only their place."""
_BARE = re.compile(r"\w{1,3}[.)]?")
"""A number of one part; what comes again is that of a list."""
_RELATIVE = re.compile(r"\s*(?:\(\d+[A-Z]?\)\s|Guidance\s*$)", re.IGNORECASE)
_ALONE = re.compile(r"[A-Z]?\d\S*\D")
"""A number without a text: `2.4.4.Individuals.`."""
_IN_APPENDIX = re.compile(r"A[\d.]")
"""How numbers begin that name an appendix by its letter alone: `A2.1.1` of `APP2`."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A line that opens a passage."""

    line: int
    """0-based."""
    number: str
    text: str
    """What follows the number."""


def written_out(lines: Sequence[str], fenced: frozenset[int]) -> list[Opening]:
    """Return the lines that open passages; none where numbers say no more than their place.

    Args:
        lines: of the text.
        fenced: 0-based places of lines inside a fence.
    """
    openings = list(_openings(lines, fenced))
    spaced = sum("\t" not in line and line_label(line) is not None for line in lines)
    if spaced >= len(openings) or len(openings) < FEWEST_COUNTED:
        return []
    counts = Counter(one.number for one in openings)
    whole = any(map(_WHOLE.search, counts))
    lists = {number for number, count in counts.items() if count > 1 and _BARE.fullmatch(number)}
    if not whole and (lists or any(map(_RELATIVE.match, lines))):
        return []
    return [
        one
        for one, below in zip_longest(openings, openings[1:])
        if one.number not in lists
        or (below and segments(below.number)[:1] == segments(one.number) != segments(below.number))
    ]


def _openings(lines: Sequence[str], fenced: frozenset[int]) -> Iterator[Opening]:
    attachment = ""
    marked = any(map(markdown_heading, lines))
    for at, line in enumerate(lines):
        if at in fenced:
            continue
        if marked and "\t" not in line and (spaced := line_label(line)):
            yield Opening(at, *spaced)
            continue
        head, tab, rest = line.strip(" \r\n").partition("\t")
        number = written_number(head)
        if number and (tab or _ALONE.fullmatch(number)):
            parts = segments(number)
            kind = container_kind(parts[0])
            if kind == "attachment" or (len(parts) == 1 and kind):
                attachment = number.rstrip(".:") if kind == "attachment" and len(parts) == 1 else ""
            if attachment and _IN_APPENDIX.match(number):
                number = f"{attachment}.{number}"
            yield Opening(at, number, rest.strip())
        elif tab and line.strip().lower() in NAMED_SECTIONS:
            yield Opening(at, line.strip(), "")


class Divisions:
    """The parts and chapters that are open: rules whose numbers run on through them are below."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def place(self, number: str, passage_id: str) -> str | None:
        """Return the ID of the passage that one with a number is below; None: its number tells.

        Args:
            number: as the source writes it.
            passage_id: of the passage, which stays open if it is a part or a chapter.
        """
        parts = segments(number)
        if len(parts) != 1:
            return None
        kind = container_kind(parts[0])
        rank = container_rank(parts[0]) if kind == "division" else 0
        if kind in {"attachment", "division"}:
            self._open = [one for one in self._open if one[0] < rank]
        above = self._open[-1][1] if self._open else None
        if rank:
            self._open.append((rank, passage_id))
        return above if kind or parts[0][0].isdigit() else None
