"""A whole document as a server keeps it: the text of all its passages, and what they share."""

from __future__ import annotations

from typing import Any

from search.engines.protocol import Record
from search.engines.servers.records import facet, listed, passage_key, searchable
from search.records import MetadataValue


class WholeDocument:
    """Collects the passages of one document, in order."""

    def __init__(self, document_id: str, position: int, content_hash: str) -> None:
        self.document_id = document_id
        self.passages = 0
        self.empty = 0
        self.fields = {"document_id", "kind"}
        self._position = position
        self._content_hash = content_hash
        self._title = ""
        self._texts: list[str] = []
        self._shared: set[tuple[str, MetadataValue]] = set()

    def add(self, record: Record) -> None:
        """Take the next passage."""
        passage = record.passage
        items = set(passage.metadata.items())
        self._shared = self._shared & items if self.passages else items
        self._title = self._title or passage.document_title
        self.fields.update(passage.metadata)
        self.passages += 1
        if record.vector_hash:
            self._texts.append(searchable(passage.text))
        else:
            self.empty += 1

    def source(self) -> dict[str, Any]:
        """Return the document for the index of documents."""
        return {
            "row": self._position,
            "document_id": self.document_id,
            "key": facet("document_id", self.document_id),
            "title": self._title,
            "content_hash": self._content_hash,
            "passages": self.passages,
            "empty": self.empty,
            "fields": sorted(self.fields),
            "metadata": listed(dict(sorted(self._shared))),
            "text": joined(self._texts),
        }


def document_key(document_id: str) -> str:
    """Return the server's `_id` of a document."""
    return passage_key(document_id)


def joined(texts: list[str]) -> str:
    """Return texts as one, so that no word of one runs into the next."""
    return "\n".join(texts)
