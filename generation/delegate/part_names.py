"""Reads the names of parts as models write them: lists, ranges, "point (a) of Article 5(1)"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from generation.delegate.part_words import RANKS, PartWord, part_words

DIVISIONS = frozenset({"book", "part", "title", "chapter", "section", "subsection"})
_INSIDE_ANYTHING = frozenset({"paragraph", "", "point", "sub"})


@dataclass(frozen=True, slots=True)
class Level:
    """One step of the way to a part."""

    unit: str
    """`article`, `annex`, …; empty for a bracket."""
    value: str
    """The number in lower case, such as `92`, `129b`, `iii` or `a`."""


Path = tuple[Level, ...]
"""The way to a part, outermost first: Article 92(1)(a) has three levels."""


@dataclass(frozen=True, slots=True)
class PartName:
    """A part, or all that lies from one part to another."""

    path: Path
    until: Path | None = None
    """The last part of a range; None: there is no range."""


@dataclass
class _Reader:
    """Takes word after word and puts the paths together."""

    found: list[PartName] = field(default_factory=list)
    unit: str | None = None
    """A unit whose number is still to come."""
    link: str = ""
    """What stood between the last number and the next: `and`, `to`, `of`, `comma`, or nothing."""
    outer: tuple[int, int] | None = None
    """After "of": the first part that was put inside, and how many levels are around it."""
    inverted: bool = False
    """Whether the outer parts follow: "Section 2 of Chapter 2, Title II"."""
    deaf: bool = False
    """Whether the words are those of a heading, up to the next `and` or comma."""

    def take(self, word: PartWord) -> None:
        """Take in the next word."""
        if word.role in ("and", "to", "of", "comma"):
            self._take_link(word.role)
        elif word.role == "unit":
            self.unit = word.text
        elif word.role == "ordinal":
            self.link = ""
        elif word.role == "other":
            self.unit, self.deaf = None, bool(self.found)
        elif not self.deaf:
            self._take_number(word)

    def _take_link(self, role: str) -> None:
        if role == "to" and self.deaf:
            return
        if role in ("and", "comma"):
            self.deaf = False
            self.unit = None
        if not (role == "and" and self.link == "comma"):
            self.link = role
        else:
            self.link = "and"

    def _take_number(self, word: PartWord) -> None:
        unit, link = self.unit, self.link
        self.unit, self.link = None, ""
        level = Level(unit if unit is not None else "", word.text)
        if self.outer and not link and (unit is None or unit in _INSIDE_ANYTHING):
            self._deepen_outer(level)
            return
        self.outer = None
        if not self.found:
            self.found.append(PartName((level,)))
        elif unit is None and word.role == "bracket" and not link:
            self._deepen(level)
        elif unit is None:
            self._beside(level, link, word.role == "bracket")
        else:
            self._with_unit(level, link)

    def _deepen(self, level: Level) -> None:
        last = self.found[-1]
        if last.until is not None:
            self.found[-1] = replace(last, until=(*last.until, level))
        else:
            self.found[-1] = replace(last, path=(*last.path, level))

    def _beside(self, level: Level, link: str, bracket: bool) -> None:
        """Take a number without a unit: it stands beside the last one of its form."""
        last = self.found[-1].until or self.found[-1].path
        self._add(_sibling(last, level.value, bracket), link)

    def _with_unit(self, level: Level, link: str) -> None:
        last = self.found[-1]
        whole = last.until or last.path
        outward = self.inverted and link == "comma" and _fits_inside(last.path[0], level)
        self.inverted = link == "of" or outward
        if self.inverted:
            self._put_inside(level)
        elif link in ("", "comma") and _goes_inside(whole, level):
            self._deepen(level)
        elif link == "to" or whole[-1].unit == level.unit or level.unit in _INSIDE_ANYTHING:
            self._add((*_outside(whole, level), level), link)
        else:
            self._add((level,), link)

    def _add(self, path: Path, link: str) -> None:
        if link == "to" and self.found[-1].until is None:
            self.found[-1] = replace(self.found[-1], until=path)
        else:
            self.found.append(PartName(path))

    def _put_inside(self, outer: Level) -> None:
        """Put what came before into an outer part: "points 1 and 2 of Annex III"."""
        first = len(self.found)
        while first and _fits_inside(self.found[first - 1].path[0], outer):
            first -= 1
            one = self.found[first]
            until = None if one.until is None else (outer, *one.until)
            self.found[first] = PartName((outer, *one.path), until)
        if first == len(self.found):
            self.found.append(PartName((outer,)))
        self.outer = (first, 1)

    def _deepen_outer(self, level: Level) -> None:
        """Put a level between the outer part and what is inside: "(a) of Article 5(1)"."""
        first, depth = self.outer or (0, 0)
        for place in range(first, len(self.found)):
            one = self.found[place]
            until = None if one.until is None else (*one.until[:depth], level, *one.until[depth:])
            path = (*one.path[:depth], level, *one.path[depth:])
            self.found[place] = PartName(path, until)
        self.outer = (first, depth + 1)


def part_names(name: str) -> tuple[PartName, ...]:
    """Return the parts that a name means, in its order; none where it holds no number.

    Args:
        name: such as "Articles 8–15 and Annex III", without the documents it names.
    """
    reader = _Reader()
    for word in part_words(name):
        reader.take(word)
    return tuple(dict.fromkeys(reader.found))


def _sibling(path: Path, value: str, bracket: bool) -> Path:
    """Return the path of a number that stands beside one level of another path."""
    if not bracket:
        numbered = [i for i, level in enumerate(path) if level.unit]
        place = numbered[-1] if numbered else 0
        return (*path[:place], Level(path[place].unit, value))
    inner = [i for i, level in enumerate(path) if level.unit in _INSIDE_ANYTHING]
    alike = [i for i in inner if _form(path[i].value) == _form(value)]
    place = (alike or inner or [len(path)])[-1]
    return (*path[:place], Level(path[place].unit if place < len(path) else "", value))


def _form(value: str) -> bool:
    return value[0].isdecimal()


def _goes_inside(path: Sequence[Level], level: Level) -> bool:
    return _fits_inside(level, path[-1]) and RANKS[level.unit] > RANKS[path[0].unit]


def _fits_inside(inner: Level, outer: Level) -> bool:
    if inner.unit in _INSIDE_ANYTHING:
        return RANKS[inner.unit] >= RANKS[outer.unit]
    if inner.unit in DIVISIONS:
        return RANKS[outer.unit] < RANKS[inner.unit]
    return outer.unit in DIVISIONS and RANKS[inner.unit] == RANKS["article"]


def _outside(path: Path, level: Level) -> Path:
    """Return the levels of a path that are further out than one that stands beside it."""
    if RANKS[level.unit] >= RANKS["article"] and level.unit not in _INSIDE_ANYTHING:
        return tuple(one for one in path if one.unit in DIVISIONS and level.unit != "recital")
    return tuple(one for one in path if RANKS[one.unit] < RANKS[level.unit])
