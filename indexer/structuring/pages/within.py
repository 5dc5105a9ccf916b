"""Headings that are within a unit: `Illustration`, `Control Enhancements`, `(a) In general`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from indexer.structuring.labels.numbers import heading_number, paragraph_number
from indexer.structuring.labels.units import division_line
from indexer.structuring.pages.line import Line
from indexer.structuring.units.series import RunningUnits

_RECURRING = 3
"""Times that a heading comes again where it is a part of units."""
_SENTENCE_END = (".", ";", ",", "—")
_QUOTES = "\"'“„«‘`"


class HeadingsWithin:
    """Decides which headings of a page belong to the unit that is open above them.

    A heading between units is right above the next one, or above other headings.
    """

    def __init__(self, lines: Sequence[Line], texts: Sequence[str], found: RunningUnits) -> None:
        self._lines = lines
        self._texts = texts
        self._found = found
        headings = (_shape(text) for line, text in zip(lines, texts, strict=True) if line.rank)
        self._counts = Counter(headings)
        self._next = self._next_paragraphs()

    def holds(self, place: int, rank: int, counted: int) -> bool:
        """Return whether a line is such a heading.

        Args:
            place: of the line.
            rank: of the unit's own heading; 0 where it is not a heading.
            counted: the last paragraph of the unit.
        """
        line, text = self._lines[place], self._texts[place]
        recurs = self._counts[_shape(text)] >= _RECURRING
        stopped = text.endswith(_SENTENCE_END)
        if not line.rank or self._heads_unit(place):
            return bool(line.rank) and recurs and stopped
        number = heading_number(text)
        if text[:1] in _QUOTES or (number is not None and number.shape == "item"):
            return True
        if number is None or number.shape == "integer":
            divides = number is None and division_line(text) is not None
            inner = (rank and line.rank > rank) or stopped or recurs
            return not divides and (bool(inner) or 0 < counted == self._next[place] - 1)
        return False

    def _heads_unit(self, place: int) -> bool:
        """Return whether the next line of text opens a unit or a division."""
        for below in range(place + 1, len(self._lines)):
            if below in self._found.units or below in self._found.groups:
                return True
            line, text = self._lines[below], self._texts[below]
            if division_line(text):
                return True
            if not line.rank:
                return False
        return True

    def _next_paragraphs(self) -> list[int]:
        """Return for each line the first numbered paragraph below it in its unit; 0 for none."""
        found, number = [0] * len(self._lines), 0
        for place in range(len(self._lines) - 1, -1, -1):
            found[place] = number
            if place in self._found.units or place in self._found.groups:
                number = 0
            elif paragraph := paragraph_number(self._texts[place], -1):
                digits = paragraph.number.strip("()")
                number = int(digits) if digits.isdigit() else number
        return found


def _shape(text: str) -> str:
    return text.casefold().rstrip(" .:")
