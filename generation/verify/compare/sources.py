"""A cited passage, prepared for being compared with statements."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from generation.statements.forces import forces_in
from generation.statements.markers import find_marker
from generation.statements.passages import Statement, statements_of
from generation.statements.words import Word, folded, words_of
from generation.text.labels import document_label
from generation.text.markup import without_marks
from generation.text.sanitize import as_shown
from generation.verify.margins import COMPARE
from search.records import Passage
from search.text.analyzer import term_set

_DIVISION = re.compile(r"^[^\W\d_]+\.?\s+\d+\.(?=\d)")
"""`PART 5.` of `PART 5.12.3.3.(1)`."""
_SUFFIX = re.compile(r"[.\s]*(\(\w{1,6}\))")


def pinpoints(passage: Passage, statements: Iterable[Statement]) -> frozenset[str]:
    """Return the numbers, folded as words are: `17.8.4`, `17.8.4(a)`, `17.8.4(a)(ii)`."""
    number = _folded(passage.passage_id)
    bases = {number, _folded(_DIVISION.sub("", passage.passage_id.strip()))} - {""}
    items = set(_items(statements))
    return frozenset(bases | {f"{base}{item}" for base in bases for item in items})


def _folded(number: str) -> str:
    found = re.search(r"\d.*", _SUFFIX.sub(r"\1", number.strip()).lower())
    return found[0].rstrip(". ") if found else ""


def _items(statements: Iterable[Statement]) -> Iterator[str]:
    for statement in statements:
        paths: list[str] = []
        for piece in statement.pieces:
            marker = find_marker(piece.text)
            before = paths[piece.parent] if piece.parent is not None else ""
            own = f"({marker.value.lower()})" if marker and marker.value else ""
            paths.append(before + own)
            if own:
                yield before + own


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence or list item of a passage."""

    text: str
    """Folded."""
    terms: frozenset[str]
    """Index terms."""
    parent: int | None
    """Place of the stretch that introduces it."""
    statement: int
    """Place of the sentence or list that it belongs to."""

    @property
    def counts(self) -> bool:
        """Whether it has a number beside its own mark."""
        return any(word.value is not None for word in words_of(self.text)[1:])


class Source:
    """One passage; each view of it is made when it is first needed."""

    def __init__(self, number: int, passage: Passage) -> None:
        self.number = number
        self.passage = passage

    @cached_property
    def shown(self) -> str:
        """The text as prompts and answers show it: what looks like a citation does so no more."""
        return as_shown(self.passage.text)

    @cached_property
    def folded(self) -> str:
        """The text, folded, without the marks of tables."""
        return folded(without_marks(self.shown))

    @cached_property
    def words(self) -> list[Word]:
        """Its words."""
        return words_of(self.folded)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """All that counts as a number in text, heading, title or number."""
        own = frozenset(word.value for word in self.words if word.value is not None)
        return own | self.context_numbers

    @cached_property
    def context(self) -> str:
        """Title, number and headings, folded: what an answer may say of the passage itself."""
        passage = self.passage
        number = passage.passage_id.strip().rstrip(").")
        named = [document_label(passage), passage.document_title, passage.document_id,
                 passage.passage_id, number, *passage.breadcrumb]  # fmt: skip
        return folded(" ; ".join(named))

    @cached_property
    def context_numbers(self) -> frozenset[str]:
        """Numbers of the context."""
        named = frozenset(word.form for word in words_of(self.context) if word.is_number)
        return named | pinpoints(self.passage, self.statements)

    @cached_property
    def context_terms(self) -> frozenset[str]:
        """Index terms of the context."""
        return term_set(self.context)

    @cached_property
    def terms(self) -> frozenset[str]:
        """Index terms of text and context."""
        return term_set(self.folded) | self.context_terms

    @cached_property
    def forces(self) -> frozenset[str]:
        """All forces of the text."""
        return frozenset(force for force, _ in forces_in(self.folded))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Its sentences and lists."""
        return statements_of(self.shown)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """Its sentences and list items, in order."""
        found: list[Stretch] = []
        for number, statement in enumerate(self.statements):
            offset = len(found)
            for piece in statement.pieces:
                parent = None if piece.parent is None else offset + piece.parent
                terms = term_set(piece.text)
                found.append(Stretch(folded(piece.text), terms, parent, number))
        return tuple(found)

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Index term → the stretches that have it."""
        found = defaultdict(list)
        for place, stretch in enumerate(self.stretches):
            for term in stretch.terms:
                found[term].append(place)
        return found


@dataclass(frozen=True, slots=True)
class Window:
    """The stretches of one source that come nearest to a statement."""

    source: Source
    places: tuple[int, ...]
    """In the order of the text."""
    share: float
    """Part of the statement's terms that they hold, 0 to 1."""
    held: frozenset[str] = frozenset()
    """These terms."""

    @property
    def text(self) -> str:
        """Their words, folded."""
        return " ".join(self.source.stretches[place].text for place in self.places)


def window_of(terms: frozenset[str], source: Source) -> Window:
    """Return the stretches that together hold most of the terms: the best first, then what adds.

    Terms of title, number and headings count as held.
    """
    if not terms:
        return Window(source, (), 0.0)
    wanted, places = set(terms - source.context_terms), set[int]()
    least = max(1.0, COMPARE.gain * len(wanted))
    while wanted and len(places) < COMPARE.stretches:
        place = _best(wanted, places, source, least)
        if place is None:
            break
        while place is not None and place not in places:
            places.add(place)
            wanted -= source.stretches[place].terms
            place = source.stretches[place].parent
    held = terms - wanted
    return Window(source, _without_gaps(places, source), len(held) / len(terms), held)


def _without_gaps(places: Collection[int], source: Source) -> tuple[int, ...]:
    """Return the places in order, with list items of numbers between two of them.

    An item whose only number was changed shares nothing any more. One without a number that shares
    nothing was left out, and what it forbids is not denied by that.
    """
    filled = set(places)
    for one, other in pairwise(sorted(places)):
        same = source.stretches[one].statement == source.stretches[other].statement
        if same and other - one <= COMPARE.gap:
            between = range(one + 1, other)
            filled.update(place for place in between if source.stretches[place].counts)
    return tuple(sorted(filled))


def _best(
    wanted: Collection[str], places: Collection[int], source: Source, least: float
) -> int | None:
    gains = Counter(place for term in wanted for place in source.places.get(term, ()))
    # Of two that add as much, the one that says less besides.
    best = max(gains, key=lambda p: (gains[p], -len(source.stretches[p].terms), -p), default=None)
    if best is None or gains[best] >= least:
        return best
    lists = {source.stretches[place].statement for place in places}
    inside = [place for place in gains if source.stretches[place].statement in lists]
    return max(inside, key=lambda place: (gains[place], -place), default=None)
