"""What a mode may read beside the hits: whole documents, passage by passage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from search.index import Index
from search.records import DocumentSummary, Passage

T = TypeVar("T")


class Library(Protocol):
    """Documents that can be read as a whole."""

    def documents(self) -> list[DocumentSummary]:
        """Return the documents, in the order they were first loaded."""
        ...

    def passages(self, document_id: str) -> list[Passage]:
        """Return the passages of a document in its order; none for an unknown one."""
        ...

    def worked_out(self, document_id: str, work: Callable[[Sequence[Passage]], T]) -> T:
        """Return what a function makes of the passages of a document.

        A library that serves many answers keeps it, for documents do not change while it is open.
        """
        ...


class IndexLibrary:
    """A `Library` over an opened index; each document is read, and worked out, once.

    After a `refresh` of the index it reads anew.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._state = index.pipeline.states()
        self._read: dict[str, list[Passage]] = {}
        self._made: dict[tuple[str, Any], Any] = {}

    def documents(self) -> list[DocumentSummary]:
        """Return the documents of the index."""
        return self._index.documents()

    def passages(self, document_id: str) -> list[Passage]:
        """Return the passages of a document in its order."""
        self._forget_what_is_old()
        if document_id not in self._read:
            found = self._index.passages({"document_id": document_id})
            self._read[document_id] = sorted(found, key=lambda passage: passage.order)
        return self._read[document_id]

    def _forget_what_is_old(self) -> None:
        state = self._index.pipeline.states()
        if state != self._state:
            self._state, self._read, self._made = state, {}, {}

    def worked_out(self, document_id: str, work: Callable[[Sequence[Passage]], T]) -> T:
        """Return what a function makes of the passages of a document; the second time, at once."""
        self._forget_what_is_old()
        key = (document_id, work)
        if key not in self._made:
            self._made[key] = work(self.passages(document_id))
        made: T = self._made[key]
        return made
