"""What a mode may read beside the hits: whole documents, passage by passage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from search.index import Index
from search.law_in_time import asked_day, in_force
from search.provisions.numbering import lookup_keys
from search.records import DocumentSummary, Passage

T = TypeVar("T")

MOST_TERMS = 50_000
"""Terms whose rarity is kept."""


class Library(Protocol):
    """Documents that can be read as a whole."""

    def documents(self) -> list[DocumentSummary]:
        """Return the documents, in the order they were first loaded."""
        ...

    def passages(self, document_id: str) -> list[Passage]:
        """Return the passages of a document in its order; none for an unknown one."""
        ...

    def rarities(self, terms: Collection[str]) -> Mapping[str, float]:
        """Return how rare each index term is among all passages; 0 where none has it."""
        ...

    def similarities(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return how alike question and texts are in meaning, -1 to 1; empty: it is not known."""
        ...

    def cited(self, passages: Sequence[Passage]) -> list[Passage]:
        """Return the rules that passages name, as far as the library has them."""
        ...

    def numbered(self, document_id: str, numbers: Collection[str]) -> list[Passage]:
        """Return the passages of a document that have some numbers."""
        ...

    def worked_out(self, document_id: str, work: Callable[[Sequence[Passage]], T]) -> T:
        """Return what a function makes of the passages of a document, kept for further answers."""
        ...


class IndexLibrary:
    """A `Library` over an opened index; each document is read and analysed once.

    Threads may share one. After a `refresh` of the index it reads again.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._kept = _Kept(index.pipeline.states())

    def documents(self) -> list[DocumentSummary]:
        """Return the documents of the index."""
        return self._index.documents()

    def passages(self, document_id: str) -> list[Passage]:
        """Return the passages of a document that are in force, in its order."""
        return in_force(self._read(self._current(), document_id))

    def rarities(self, terms: Collection[str]) -> Mapping[str, float]:
        """Return the weight that BM25 gives each term; the second time, at once."""
        kept = self._current().rarities
        known = {term: rarity for term in terms if (rarity := kept.get(term)) is not None}
        new = self._index.rarities([term for term in terms if term not in known])
        if len(kept) < MOST_TERMS:
            kept.update(new)
        return {**known, **new}

    def similarities(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return cosines in the vectors of the index."""
        return self._index.similarities(question, texts)

    def cited(self, passages: Sequence[Passage]) -> list[Passage]:
        """Return the rules of the index that passages name and that are in force."""
        return in_force(self._index.cited(passages))

    def numbered(self, document_id: str, numbers: Collection[str]) -> list[Passage]:
        """Return the passages of a document that have some numbers and are in force."""
        keys = tuple(key for number in numbers for key in lookup_keys(number)[:1])
        found = in_force(self._index.passages({"document_id": document_id, "number": keys}))
        return [one for one in found if one.passage_id.strip() in numbers]

    def worked_out(self, document_id: str, work: Callable[[Sequence[Passage]], T]) -> T:
        """Return what a function makes of the passages of a document; the second time, at once."""
        kept, key = self._current(), (document_id, work, asked_day())
        if key not in kept.made:
            kept.made[key] = work(in_force(self._read(kept, document_id)))
        made: T = kept.made[key]
        return made

    def _read(self, kept: _Kept, document_id: str) -> list[Passage]:
        key = (document_id, asked_day())
        if key not in kept.read:
            kept.read[key] = self._index.passages({"document_id": document_id})
        return kept.read[key]

    def _current(self) -> _Kept:
        """Return what is kept of the state that is open; of another one nothing is kept on."""
        kept, state = self._kept, self._index.pipeline.states()
        if kept.state != state:
            kept = self._kept = _Kept(state)
        return kept


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was read of one state of an index; threads may do the same work twice, never mix it."""

    state: tuple[str, ...]
    read: dict[tuple[str, ...], list[Passage]] = field(default_factory=dict)
    """Document and day → its passages on that day, in their order."""
    made: dict[tuple[str, Any, str], Any] = field(default_factory=dict)
    rarities: dict[str, float] = field(default_factory=dict)
