"""A whole document as a server keeps it: the text of all its passages, and what they share."""

from __future__ import annotations

from typing import Any

from search.engines.common_metadata import CommonMetadata
from search.engines.servers.records import facet, listed, passage_key, searchable
from search.engines.stored_rows import Record
from search.text.word_parts import parts_among


class WholeDocument:
    """Collects the passages of one document, in order."""

    def __init__(self, document_id: str, position: int, content_hash: str) -> None:
        self.document_id = document_id
        self.empty = 0
        self.fields = {"document_id", "kind"}
        self._position = position
        self._content_hash = content_hash
        self._texts: list[str] = []
        self._common = CommonMetadata()

    @property
    def passages(self) -> int:
        """How many were taken."""
        return self._common.passages

    def add(self, record: Record) -> None:
        """Take the next passage."""
        passage = record.passage
        self._common.add(passage)
        self.fields.update(passage.metadata)
        if record.vector_hash:
            context = [searchable(record.context)] if record.context else []
            self._texts += [*context, searchable(passage.text), *parts_among(record.tokens)]
        else:
            self.empty += 1

    def source(self) -> dict[str, Any]:
        """Return the document for the index of documents."""
        return {
            "row": self._position,
            "document_id": self.document_id,
            "key": facet("document_id", self.document_id),
            "title": self._common.title,
            "content_hash": self._content_hash,
            "passages": self.passages,
            "empty": self.empty,
            "fields": sorted(self.fields),
            "metadata": listed(self._common.metadata()),
            "text": joined(self._texts),
        }


def document_key(document_id: str) -> str:
    """Return the server's `_id` of a document."""
    return passage_key(document_id)


def joined(texts: list[str]) -> str:
    """Return texts as one, so that no word of one runs into the next."""
    return "\n".join(texts)
