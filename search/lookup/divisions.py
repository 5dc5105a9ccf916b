"""The parts, chapters and titles that a passage is in, where its number does not say so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from search.provisions.numbering import DIVISIONS, segments
from search.records import Passage

_DIVISION = re.compile(rf"({'|'.join(sorted(DIVISIONS))}) (\d+[a-z]{{0,2}}|[ivxlc]+|[a-z])")
HEADING_WORDS = 2
"""A heading begins with a division's name: `PART 2 Banks`."""


def is_in_another(passage: Passage, divisions: Iterable[str]) -> bool:
    """Return whether a passage is in Part 1, where Part 2 is asked for.

    Numbers of another form say nothing: Part II may be Part 2.

    Args:
        passage: its number and its headings are looked at.
        divisions: as `search.provisions.numbering.segments` writes them, such as `part 2`.
    """
    own = list(_divisions_of(passage))
    for named in divisions:
        word, number = _parted(named)
        alike = [one for kind, one in own if kind == word and one.isdecimal() == number.isdecimal()]
        if alike and number not in alike:
            return True
    return False


def _divisions_of(passage: Passage) -> Iterator[tuple[str, str]]:
    headings = (" ".join(heading.split()[:HEADING_WORDS]) for heading in passage.breadcrumb)
    for text in (passage.passage_id, *headings):
        for segment in segments(text):
            if _DIVISION.fullmatch(segment):
                yield _parted(segment)


def _parted(segment: str) -> tuple[str, str]:
    word, _, number = segment.partition(" ")
    return word, number
