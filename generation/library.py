"""What a mode may read beside the hits: whole documents, passage by passage."""

from __future__ import annotations

from typing import Protocol

from search.index import Index
from search.records import DocumentSummary, Passage


class Library(Protocol):
    """Documents that can be read as a whole."""

    def documents(self) -> list[DocumentSummary]:
        """Return the documents, in the order they were first loaded."""
        ...

    def passages(self, document_id: str) -> list[Passage]:
        """Return the passages of a document in its order; none for an unknown one."""
        ...


class IndexLibrary:
    """A `Library` over an opened index; each document is read once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._read: dict[str, list[Passage]] = {}

    def documents(self) -> list[DocumentSummary]:
        """Return the documents of the index."""
        return self._index.documents()

    def passages(self, document_id: str) -> list[Passage]:
        """Return the passages of a document in its order."""
        if document_id not in self._read:
            found = self._index.passages({"document_id": document_id})
            self._read[document_id] = sorted(found, key=lambda passage: passage.order)
        return self._read[document_id]
