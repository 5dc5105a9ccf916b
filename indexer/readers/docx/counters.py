"""The counters of automatic numbers while a document is read from top to bottom."""

from __future__ import annotations

import re

from indexer.readers.docx.numbering import LEVELS, Level, NumberedList
from indexer.readers.docx.numerals import numeral

_PLACE = re.compile(r"%([1-9])")


class Counters:
    """Counts the paragraphs of every list, as Word shows them.

    Instances of one abstract list share their counters; one with a start of its own starts again
    when it is first used (ISO/IEC 29500-1, 17.9.26).
    """

    def __init__(self) -> None:
        self._values: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()

    def next_label(self, numbered: NumberedList, index: int) -> str:
        """Count one paragraph and return its number, "" where the level shows none."""
        values = self._values.setdefault(numbered.abstract, [None] * LEVELS)
        level = numbered.levels[index]
        for above in range(index):
            if values[above] is None and above in numbered.levels:
                # A level that was skipped shows its first number, and counts as begun.
                values[above] = numbered.levels[above].start
        current = values[index]
        restarted = self._restart(numbered, index)
        values[index] = level.start if current is None or restarted else current + 1
        for below in range(index + 1, LEVELS):
            if below in numbered.levels and _restarts(numbered.levels[below], below, index):
                values[below] = None
        return "" if level.hidden else _label(numbered, level, values)

    def _restart(self, numbered: NumberedList, index: int) -> bool:
        """Return whether this is the first use of a level that the instance starts itself."""
        if index not in numbered.restarts or (numbered.id, index) in self._begun:
            return False
        self._begun.add((numbered.id, index))
        return True


def _restarts(level: Level, index: int, used: int) -> bool:
    """Return whether the use of a higher level restarts this level."""
    if level.restart_after is None or level.restart_after > index:
        return True
    return used < level.restart_after


def _label(numbered: NumberedList, level: Level, values: list[int | None]) -> str:
    if level.bullet:
        return level.text.strip() or "•"

    def write(found: re.Match[str]) -> str:
        index = int(found.group(1)) - 1
        value, shown = values[index], numbered.levels.get(index)
        if value is None or shown is None:
            return ""
        decimal = level.legal and shown.number_format not in ("none", "decimalZero")
        return numeral(value, "decimal" if decimal else shown.number_format)

    return _PLACE.sub(write, level.text).strip()
