"""Automatic numbers of an OpenDocument text: of lists, and of headings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexer.readers.docx.numerals import numeral
from indexer.readers.odt.styles import value_of

if TYPE_CHECKING:
    from lxml.etree import _Element

_FORMATS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_LEVELS = 10
HEADINGS = "headings"
"""The list that numbers headings."""


@dataclass(frozen=True, slots=True)
class _Level:
    """How one level of a list is numbered."""

    number_format: str
    prefix: str = ""
    suffix: str = ""
    shown: int = 1
    """How many levels its number shows."""
    start: int = 1


class Lists:
    """Counts the items of the lists of one document."""

    def __init__(self, parts: Iterable[_Element]) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counts: dict[str, list[int]] = {}
        for part in parts:
            for style in part.iter("{*}list-style", "{*}outline-style"):
                outline = str(style.tag).endswith("outline-style")
                name = HEADINGS if outline else value_of(style, "name")
                self._levels[name] = {
                    int(level): _level(one)
                    for one in style
                    if (level := value_of(one, "level")).isdigit()
                }

    def begin(self, style: str, level: int, start: int | None = None) -> None:
        """Begin a list again at a level."""
        counts = self._counts.setdefault(style, [0] * (_LEVELS + 1))
        counts[level:] = [0] * (_LEVELS + 1 - level)
        if start is not None:
            counts[level] = start - 1

    def next(self, style: str, level: int) -> str:
        """Return the number of the next item of a list, a bullet, or ""."""
        levels = self._levels.get(style, {})
        own = levels.get(level)
        if own is None or level > _LEVELS:
            return ""
        if own.number_format == "bullet":
            return "•"
        counts = self._counts.setdefault(style, [0] * (_LEVELS + 1))
        counts[level] = counts[level] + 1 if counts[level] else own.start
        counts[level + 1 :] = [0] * (_LEVELS - level)
        if not own.number_format:
            return ""
        shown = range(max(1, level - own.shown + 1), level + 1)
        numbers = (
            numeral(max(counts[at], 1), _FORMATS.get(one.number_format, "decimal"))
            for at in shown
            if (one := levels.get(at)) and one.number_format
        )
        return f"{own.prefix}{'.'.join(numbers)}{own.suffix}".strip()


def _level(element: _Element) -> _Level:
    if str(element.tag).endswith("list-level-style-bullet"):
        return _Level("bullet")
    start, shown = value_of(element, "start-value"), value_of(element, "display-levels")
    return _Level(
        value_of(element, "num-format"),
        value_of(element, "num-prefix"),
        value_of(element, "num-suffix"),
        int(shown) if shown.isdigit() else 1,
        int(start) if start.isdigit() else 1,
    )
