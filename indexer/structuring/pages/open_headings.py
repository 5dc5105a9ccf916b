"""The headings of a page that are open, and what is below which of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from indexer.structuring.acts.provisions import Provision
from indexer.structuring.labels.eu_numbers import INNERMOST
from indexer.structuring.labels.units import UnitLine
from search.language import vocabulary
from search.provisions.numbering import container_rank

_Heading = tuple[int, Provision]
"""Rank, and what the heading opened."""


class OpenHeadings:
    """The headings from the outermost to the innermost."""

    def __init__(self, units: Mapping[int, UnitLine]) -> None:
        """Prepare for a page whose units run through it."""
        self._open: list[_Heading] = []
        self._forms = {unit.number: unit.form for unit in units.values()}
        self._nested: set[tuple[str, str]] = set()
        """Words of divisions, of which the first was around the second."""
        self._form = ""
        """Of the last unit."""
        self._inserting: dict[int, str] = {}
        """Headings → the form of the units before them; they may insert them in another act."""
        self._inserted: dict[int, str] = {}
        """Headings → the form of their first unit."""

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def provisions(self) -> Iterator[Provision]:
        """Yield what the headings opened."""
        return (provision for _, provision in self._open)

    @property
    def innermost(self) -> Provision | None:
        """What the last heading opened."""
        return self._open[-1][1] if self._open else None

    @property
    def attached(self) -> bool:
        """Whether a schedule or an annex is open: its numbers are its own."""
        return any(provision.level == "annex" for provision in self.provisions)

    @property
    def outermost(self) -> int:
        """The rank of the outermost heading with a number that is open, else that of the next."""
        numbered = [rank for rank, provision in self._open if provision.number]
        return numbered[0] if numbered else len(self._open) + 1

    def open(self, provision: Provision, rank: int) -> None:
        """Open what a heading is the title of."""
        self._open.append((rank, provision))
        self._inserting[id(provision)] = self._form

    def enter(self, form: str) -> None:
        """Note the form of a unit that opens."""
        self._form = form
        for provision in self.provisions:
            self._inserted.setdefault(id(provision), form)

    def clear(self) -> None:
        """Close all headings."""
        self._open.clear()

    def close_before(self, provision: Provision, rank: int) -> None:
        """Close the headings that a provision, whose heading has a rank, is not below."""
        while self._open and not self._holds(self._open[-1], provision, rank):
            self._open.pop()

    def _holds(self, above: _Heading, provision: Provision, rank: int) -> bool:
        """Return whether a provision is below an open heading.

        No division is in a unit of those that run through the page, nor in one of a kind that
        was in its own kind before: a chapter in a section. An annex is in no division.
        """
        if form := self._forms.get(provision.number):
            return self._holds_unit(above, rank, form)
        if provision.level == "division" and above[1].level == "article":
            return not self._forms and above[0] < rank
        if above[1].level != "division" or not above[1].number:
            return above[0] < rank
        if provision.level == "annex":
            return False
        return self._holds_division(above, provision, rank)

    def _holds_division(self, above: _Heading, provision: Provision, rank: int) -> bool:
        words = [one.number.partition(" ")[0].lower() for one in (above[1], provision)]
        if provision.level != "division":
            return above[0] < rank
        outer, inner = words
        if outer == inner or (inner, outer) in self._nested:
            return False
        if above[0] < rank or (above[0] == rank and _rank(outer) < _rank(inner)):
            self._nested.add((outer, inner))
        return (outer, inner) in self._nested

    def _holds_unit(self, above: _Heading, rank: int, form: str) -> bool:
        """Return whether a unit of a form is below a heading.

        It is in each numbered division, however high its own heading, and in no unit of its form.
        The next section of a bill is not in the part that the section before it inserts.
        """
        rank_above, provision = above
        if self._forms.get(provision.number) == form:
            return False
        if provision.level != "division" or not provision.number:
            return rank_above < rank
        inserted = self._inserted.get(id(provision), form)
        return inserted == form or self._inserting[id(provision)] != form


def _rank(word: str) -> int:
    """Return how far inside a division is; one whose word is no unit's is innermost."""
    return container_rank(vocabulary.unit_of(word) or "") or INNERMOST
