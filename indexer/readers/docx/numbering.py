"""Automatic numbers: `numbering.xml`, the styles that name its lists, and their counters."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from indexer.readers.docx.markup import attribute, child, number_of, switch, value_of
from indexer.readers.docx.numerals import numeral
from indexer.readers.docx.styles import Styles, left_indent
from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

LEVELS = 9
"""Levels of a Word list (ISO/IEC 29500-1, 17.9.6)."""

NO_LIST = "0"
"""The list number by which a paragraph turns off the number of its style (17.9.18)."""

_SYMBOL_AREA = re.compile("[\uf000-\uf0ff]")


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list counts and looks."""

    start: int = 1
    number_format: str = "decimal"
    text: str = ""
    """With `%1` to `%9` where the counters of the levels are."""
    restart_after: int | None = None
    """1-based level after which the counter starts again; None: any above; 0: never."""
    legal: bool = False
    """Whether all counters are written as decimal numbers."""
    style: str | None = None
    """The paragraph style that stands for this level."""
    hidden: bool = False
    indent: int | None = None


@dataclass(frozen=True, slots=True)
class NumberedList:
    """A list instance (`w:num`): the abstract list it counts in, and what it overrides."""

    id: str
    abstract: str
    levels: dict[int, Level]
    restarts: dict[int, int] = field(default_factory=dict)
    """Level → number with which this instance begins."""


class Numbering:
    """The lists of one document."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        """Read `numbering.xml`; None for a document without one."""
        self._styles = styles
        self._abstract: dict[str, Element] = {}
        self._instances: dict[str, Element] = {}
        for element in root if root is not None else ():
            if local_name(element) == "abstractNum":
                self._abstract[attribute(element, "abstractNumId") or ""] = element
            elif local_name(element) == "num":
                self._instances[attribute(element, "numId") or ""] = element
        self._lists: dict[str, NumberedList | None] = {}
        self._names = {
            found: number
            for number, element in self._instances.items()
            if (found := self._name_of(element))
        }

    def list_of(self, list_id: str | None) -> NumberedList | None:
        """Return a list by its number; None for no list, or for one that is not defined."""
        if list_id is None or list_id == NO_LIST:
            return None
        if list_id not in self._lists:
            self._lists[list_id] = self._read(list_id)
        return self._lists[list_id]

    def list_named(self, name: str) -> NumberedList | None:
        """Return a list by the name that `LISTNUM` fields use, or None."""
        return self.list_of(self._names.get(name))

    def _name_of(self, instance: Element) -> str | None:
        abstract = self._abstract.get(value_of(instance, "abstractNumId") or "")
        return value_of(abstract, "name")

    def place_of(
        self, properties: Element | None, style_id: str | None
    ) -> tuple[NumberedList, int] | None:
        """Return the list and the level that number a paragraph, or None.

        What the paragraph says wins over its style, and a style over the one it is based on. A
        style that names a list but no level stands for the level that names it (17.9.23).
        """
        direct = child(properties, "numPr")
        list_id, level = value_of(direct, "numId"), value_of(direct, "ilvl")
        by_style = None
        for style in self._styles.chain(style_id):
            if list_id is not None and (level is not None or direct is not None):
                break
            of_style = child(style.paragraph, "numPr")
            if list_id is None and (list_id := value_of(of_style, "numId")) is not None:
                by_style = style.id
            if level is None:
                level = value_of(of_style, "ilvl")
        found = self.list_of(list_id)
        if found is None:
            return None
        index = number_of(level)
        if by_style and level is None:
            levels = found.levels.items()
            index = next((at for at, one in levels if one.style == by_style), index)
        return (found, index) if index in found.levels else None

    def _read(self, list_id: str) -> NumberedList | None:
        instance = self._instances.get(list_id)
        abstract = self._resolve(value_of(instance, "abstractNumId"))
        if instance is None or abstract is None:
            return None
        levels = {}
        for element in self._abstract[abstract]:
            if local_name(element) == "lvl" and 0 <= (index := _index(element)) < LEVELS:
                levels[index] = _level(element)
        restarts = {}
        for override in instance:
            index = _index(override)
            if local_name(override) != "lvlOverride" or not 0 <= index < LEVELS:
                continue
            if (own := child(override, "lvl")) is not None:
                levels[index] = _level(own)
            if (start := value_of(override, "startOverride")) is not None:
                restarts[index] = number_of(start)
                if index in levels:
                    levels[index] = replace(levels[index], start=restarts[index])
        return NumberedList(list_id, abstract, levels, restarts)

    def _resolve(self, abstract: str | None) -> str | None:
        """Follow a list that borrows its levels from a list style (17.9.21)."""
        seen: set[str] = set()
        while abstract in self._abstract and abstract not in seen:
            seen.add(abstract)
            link = value_of(self._abstract[abstract], "numStyleLink")
            if link is None:
                return abstract
            list_id = self._styles.paragraph_value(link, "numPr", "numId")
            abstract = value_of(self._instances.get(list_id or ""), "abstractNumId")
        return None


def _index(element: Element) -> int:
    return number_of(attribute(element, "ilvl"), -1)


def _level(element: Element) -> Level:
    number_format = value_of(element, "numFmt")
    if number_format is None:  # Word keeps its newer formats in an alternate
        number_format = value_of(element, "AlternateContent", "Fallback", "numFmt")
    restart = value_of(element, "lvlRestart")
    return Level(
        start=number_of(value_of(element, "start"), 0),
        number_format=number_format or "decimal",
        text=_SYMBOL_AREA.sub("•", value_of(element, "lvlText") or ""),
        restart_after=None if restart is None else number_of(restart),
        legal=bool(switch(element, "isLgl")),
        style=value_of(element, "pStyle"),
        hidden=bool(switch(child(element, "rPr"), "vanish")),
        indent=left_indent(child(element, "pPr")),
    )


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
    if level.number_format == "bullet":
        return level.text.strip() or "•"

    def write(found: re.Match[str]) -> str:
        index = int(found.group(1)) - 1
        value, shown = values[index], numbered.levels.get(index)
        if value is None or shown is None:
            return ""
        decimal = level.legal and shown.number_format not in ("none", "decimalZero")
        return numeral(value, "decimal" if decimal else shown.number_format)

    return _PLACE.sub(write, level.text).strip()
