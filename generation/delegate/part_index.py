"""The parts of one document: found by the way to them, by what they are called, by heading."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from generation.delegate.part_names import Level, Path
from generation.text.sanitize import one_line
from search.provisions.numbering import UNITS, segments
from search.provisions.roman import roman_numeral, roman_value
from search.records import Passage

LONGEST_HEADING = 160
"""Characters of a first line that may be a heading."""

WORDLESS = frozenset({"", "point", "paragraph"})
"""Units whose word no source writes into its numbers."""
_BELOW = "."
"""Unit of a further piece of a number with stops: in 5.3 the 3 is directly below the 5."""
_OFTEN_BARE = frozenset({"rule", "section", "chapter", "part"})
"""Units whose word some sources leave out: chapter 3 of COBS is just `3`."""
_IN_FIGURES = WORDLESS | {"article", "rule", "recital", _BELOW}
"""Units that no source numbers in Roman numerals."""
_WORD = re.compile(r"[^\W_]+")


class PartIndex:
    """The passages of a document by the names of its parts."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = tuple(passages)
        self._ways = [segments(passage.passage_id) for passage in self.passages]
        self._place = {passage.id: place for place, passage in enumerate(self.passages)}
        self._by_last: defaultdict[str, list[int]] = defaultdict(list)
        self._below: defaultdict[str, list[int]] = defaultdict(list)
        for place, (passage, way) in enumerate(zip(self.passages, self._ways, strict=True)):
            if way:
                self._by_last[way[-1]].append(place)
            if passage.parent is not None:
                self._below[passage.parent].append(place)

    def at(self, path: Path) -> list[Passage]:
        """Return the passages that a path may mean; several where it is ambiguous.

        The path may leave out levels: Chapter 2 of Part Two is found within its title. A point
        that is no passage of its own is found as the passage whose text holds it.
        """
        levels = [one for level in path if level.unit != "sub" for one in _undotted(level)]
        places = self._matching(levels)
        if not places and len(levels) > 1 and levels[-1].unit in WORDLESS | {_BELOW}:
            enclosing = self._matching(levels[:-1]) or self._places(self.at(tuple(levels[:-1])))
            places = [place for place in enclosing if self._holds(place, levels[-1].value)]
        return [self.passages[place] for place in places]

    def named(self, name: str) -> list[Passage]:
        """Return the passages whose number, heading, or number and heading, a name repeats."""
        places = self._by_number.get(_tight(name)) or self._by_heading.get(_folded(name), [])
        return [self.passages[place] for place in places]

    def headings(self) -> Iterator[str]:
        """Yield the headings of the document, longest first."""
        yield from self._headings

    def whole(self, passage: Passage) -> list[Passage]:
        """Return a passage with all that is below it, in the order of the document.

        A very long article may be several passages of one number: they belong together.
        """
        places = set[int]()
        waiting = list(self._by_number[_tight(passage.passage_id)])
        while waiting:
            place = waiting.pop()
            if place not in places:
                places.add(place)
                waiting += self._below[self.passages[place].id]
        return [self.passages[place] for place in sorted(places)]

    def between(self, first: Passage, last: Passage) -> list[Passage]:
        """Return all from one passage to the end of another; none where it comes before."""
        end = self._place[self.whole(last)[-1].id]
        start = self._place[first.id]
        return list(self.passages[start : end + 1]) if self._place[last.id] >= start else []

    def encloses(self, outer: Passage, inner: Passage) -> bool:
        """Return whether a passage is below another one."""
        return any(one.id == inner.id for one in self.whole(outer))

    @cached_property
    def _by_number(self) -> dict[str, list[int]]:
        named: defaultdict[str, list[int]] = defaultdict(list)
        for place, passage in enumerate(self.passages):
            named[_tight(passage.passage_id)].append(place)
        return dict(named)

    @cached_property
    def _by_heading(self) -> dict[str, list[int]]:
        named: defaultdict[str, list[int]] = defaultdict(list)
        for place, passage in enumerate(self.passages):
            if heading := heading_of(passage):
                named[_folded(heading)].append(place)
                named[_folded(f"{passage.passage_id} {heading}")].append(place)
        return dict(named)

    @cached_property
    def _headings(self) -> list[str]:
        found = {_folded(heading_of(passage)) for passage in self.passages}
        return sorted(filter(None, found), key=len, reverse=True)

    def _places(self, passages: Sequence[Passage]) -> list[int]:
        return [self._place[passage.id] for passage in passages]

    def _matching(self, levels: Sequence[Level]) -> list[int]:
        """Return the places of the passages that a path fits, the closest fits alone."""
        if not levels:
            return []
        ways = [_Step((*_spellings(one), *_bare(one)), one.unit == _BELOW) for one in levels]
        fitting: list[int] = []
        for last in (_spellings(levels[-1]), _bare(levels[-1])):
            places = dict.fromkeys(p for spelt in last for p in self._by_last.get(spelt, ()))
            fitting = fitting or [place for place in places if _within(ways, self._ways[place])]
        exact = [place for place in fitting if len(self._ways[place]) == len(levels)]
        return exact or fitting

    def _holds(self, place: int, value: str) -> bool:
        """Return whether the text of a passage has an item of a number: "(a) …" or "1. …"."""
        if self._below[self.passages[place].id] and self.passages[place].kind == "heading":
            return False
        item = re.compile(rf"(?:^|\s)\(?{re.escape(value)}[).]\s")
        return item.search(self.passages[place].text) is not None


def _undotted(level: Level) -> list[Level]:
    """Return the levels of a number such as 6.2.2, which says by itself where it is."""
    first, *further = level.value.split(".")
    return [Level("", first), *(Level(_BELOW, one) for one in further)] if further else [level]


def heading_of(passage: Passage) -> str:
    """Return the heading of a passage: its text, or the first line where that looks like one."""
    first, _, rest = passage.text.partition("\n")
    if passage.kind == "heading":
        return one_line(passage.text)
    looks = bool(rest) and len(first) <= LONGEST_HEADING and first.rstrip()[-1:] not in ".;:,"
    return one_line(first) if looks else ""


class _Step(NamedTuple):
    """One level of a path, as it is looked for in numbers."""

    spellings: Sequence[str]
    is_below: bool
    """Whether it is directly below the level before it, with none left out."""


def _within(steps: Sequence[_Step], whole: Sequence[str]) -> bool:
    """Return whether the levels of a path occur in a number in this order, its last one last."""
    *outer, last = steps
    if not whole or whole[-1] not in last.spellings:
        return False
    above = whole[:-1]
    if not outer:
        return True
    if last.is_below:
        return _within(outer, above) and (len(outer) > 1 or not _goes_on(above))
    return any(_within(outer, above[:end]) for end in range(len(above), 0, -1))


def _goes_on(whole: Sequence[str]) -> bool:
    """Return whether a number such as 5.1 ends inside another one: 1.3 does not name 5.1.3."""
    return len(whole) > 1 and whole[-2].isdecimal()


def _spellings(level: Level) -> tuple[str, ...]:
    """Return how sources write a level with its word: Annex 3 is Annex III."""
    values = _values(level)
    if level.unit in WORDLESS or level.unit == _BELOW:
        return values
    if level.unit == "app":
        return tuple(f"app{value}" for value in values)
    return tuple(f"{level.unit} {value}" for value in values)


def _bare(level: Level) -> tuple[str, ...]:
    """Return how sources write a level where its word is missing on one of the two sides."""
    values = _values(level)
    if level.unit in WORDLESS:
        return tuple(
            f"{unit} {value}" for unit in (*sorted(UNITS), "sub section") for value in values
        )
    return values if level.unit in _OFTEN_BARE else ()


def _values(level: Level) -> tuple[str, ...]:
    if level.unit in _IN_FIGURES:
        return (level.value,)
    if level.value.isdecimal() and int(level.value) > 0:
        return (level.value, roman_numeral(int(level.value)))
    value = roman_value(level.value)
    return (level.value, str(value)) if value else (level.value,)


def _tight(number: str) -> str:
    return "".join(number.casefold().split()).rstrip(".")


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
