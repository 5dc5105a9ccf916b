"""Styles of an OpenDocument text, own or inherited, and its automatic numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexer.readers.docx.numerals import numeral

if TYPE_CHECKING:
    from lxml.etree import _Element

_DEEPEST = 20
"""Styles that inherit from each other which are followed."""


BOLD = frozenset({"bold", "600", "700", "800", "900"})
"""Values of `font-weight`."""


class Styles:
    """The styles of one document."""

    def __init__(self, parts: Iterable[_Element]) -> None:
        self._styles: dict[str, _Element] = {}
        for part in parts:
            for style in part.iter("{*}style"):
                self._styles[value_of(style, "name")] = style

    def look(self, name: str, wanted: str) -> str:
        """Return a property of a style, or ""."""
        for style in self._line(name):
            for inner in style:
                if found := value_of(inner, wanted):
                    return found
        return ""

    def _line(self, name: str) -> Iterable[_Element]:
        for _ in range(_DEEPEST):
            style = self._styles.get(name)
            if style is None:
                return
            yield style
            name = value_of(style, "parent-style-name")


def value_of(element: _Element, name: str) -> str:
    """Return an attribute whatever its namespace, or ""."""
    return next((str(v) for key, v in element.items() if key.rpartition("}")[2] == name), "")


def twips(length: str) -> int:
    """Return a length such as `1.27cm` in twentieths of a point; 0 for what is none."""
    units = {"cm": 28.3465, "mm": 2.83465, "in": 72.0, "pt": 1.0}
    try:
        return round(20 * float(length[:-2]) * units.get(length[-2:], 0.0))
    except ValueError:
        return 0


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
