"""The parts of one document: found by number, and by heading."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from generation.text.sanitize import one_line
from search.lookup.find import ByNumber, divisions_only, holding
from search.provisions.grammar.keys import KEYED_UNITS, in_both_figures, rule_keys
from search.provisions.grammar.references import Reference
from search.provisions.numbering import ANYWHERE, container_rank, segments
from search.records import Passage

LONGEST_HEADING = 160
"""Characters of a first line that may be a heading."""

_WORD = re.compile(r"[^\W_]+")


class PartIndex:
    """The passages of a document by the names of its parts."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = tuple(passages)
        self._held = ByNumber(self.passages)
        self._place = {passage.id: place for place, passage in enumerate(self.passages)}
        self._below: defaultdict[str, list[int]] = defaultdict(list)
        for place, passage in enumerate(self.passages):
            if passage.parent is not None:
                self._below[passage.parent].append(place)

    def at(self, part: Reference) -> list[Passage]:
        """Return the passages that a part may be; several where its name is ambiguous.

        A point that is no passage of its own is found as the passage whose text holds it.
        """
        part = replace(part, core=min(part.core, 1))
        outer = sorted(part.containers, key=container_rank)
        inner = replace(part, containers=tuple(outer[1:])) if outer else Reference()
        elsewhere = set(rule_keys(inner, in_document=True))
        whole = rule_keys(part, in_document=True)
        keys = tuple(
            key for key in whole if key not in elsewhere and not key.startswith((ANYWHERE, "/"))
        )
        for key in in_both_figures(keys):
            found = self._held.having(key, whole=True)
            found = _of_unit(part, found) if part.number else divisions_only(key, found)
            if found:
                return holding(keys, key, found)
        return []

    def named(self, name: str) -> list[Passage]:
        """Return the passages whose number, heading, or number and heading, a name repeats."""
        places = self._by_number.get(_tight(name)) or self._by_heading.get(_folded(name), [])
        return [self.passages[place] for place in places]

    @cached_property
    def headings(self) -> list[str]:
        """The headings of the document, longest first."""
        found = {_folded(heading_of(passage)) for passage in self.passages}
        return sorted(filter(None, found), key=len, reverse=True)

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


def _of_unit(part: Reference, found: Sequence[Passage]) -> list[Passage]:
    """Return the passages that are not of another unit: Article 3(1) is in no Section 3."""
    number = f" {part.number[0]}"
    others = {f"{unit}{number}" for unit in KEYED_UNITS - {part.unit}} if part.unit else set()
    return [one for one in found if others.isdisjoint(segments(one.passage_id))]


def heading_of(passage: Passage) -> str:
    """Return the heading of a passage: its text, or the first line where that looks like one."""
    first, _, rest = passage.text.partition("\n")
    if passage.kind == "heading":
        return one_line(passage.text)
    looks = bool(rest) and len(first) <= LONGEST_HEADING and first.rstrip()[-1:] not in ".;:,"
    return one_line(first) if looks else ""


def _tight(number: str) -> str:
    return "".join(number.casefold().split()).rstrip(".")


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
