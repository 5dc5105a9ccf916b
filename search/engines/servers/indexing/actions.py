"""The stream of bulk actions that fills a generation: passages, each document after its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.engines.servers.connection.client import Body
from search.engines.servers.indexing.current import Change, Current
from search.engines.servers.records import (
    ROWS_A_DOCUMENT,
    SEARCHED,
    facet,
    listed,
    passage_key,
    passage_of,
    passage_source,
)
from search.engines.staging import Staging
from search.engines.stored_rows import CommonMetadata, DocumentWords, Record, StoredRow, record_of
from search.messages.refusals import missing_vector


class WholeDocument:
    """Collects the passages of one document, in order."""

    def __init__(self, document_id: str, position: int, content_hash: str, history: str) -> None:
        self.document_id = document_id
        self.empty = 0
        self.fields = {"document_id", "kind"}
        self._position = position
        self._content_hash = content_hash
        self._history = history
        self._words = DocumentWords()
        self._common = CommonMetadata()

    @property
    def passages(self) -> int:
        """How many were taken."""
        return self._common.passages

    def add(self, record: Record) -> None:
        """Take the next passage."""
        self._common.add(record.passage)
        self.fields.update(record.passage.metadata)
        self._words.add(record.passage, " ".join(record.tokens))
        self.empty += not record.vector_hash

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
            "history": self._history,
            "text": self._words.text(),
        }


Vectors = Callable[[Iterable[str]], dict[str, NDArray[np.float32]]]
"""Gives those vectors of hashes that are known."""
VectorValue = Callable[[NDArray[np.float32]], Any]
"""Gives a vector as the server takes it."""

ROWS_AT_ONCE = 500
"""Passages whose vectors are fetched together."""


@dataclass(frozen=True, slots=True)
class _PlacedRow:
    row: StoredRow
    number: int
    ancestors: tuple[str, ...]
    document: WholeDocument


class Actions:
    """Makes the actions of a change, and notes what it adds; each stream is read once."""

    def __init__(
        self, change: Change, documents: str, vectors: Vectors, vector_value: VectorValue
    ) -> None:
        """Prepare; `documents` is an index, and passages go where the bulk request says."""
        self._change = change
        self._documents = documents
        self._vectors = vectors
        self._vector_value = vector_value
        self.empty = 0
        self.fields: set[str] = set()
        """Names of what the passages that were given can be filtered by."""

    def given(self, staged: Staging) -> Iterator[Body]:
        """Yield what was given to the load."""
        rows = self._rows(staged)
        whole: WholeDocument | None = None
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            vectors = self._vectors({one.row.vector_hash for one in batch} - {""})
            for one in batch:
                if whole is not None and whole is not one.document:
                    yield self._finished(whole)
                whole = one.document
                yield self._passage(one, vectors)
        if whole is not None:
            yield self._finished(whole)

    def copied(self, current: Current) -> Iterator[Body]:
        """Yield the documents that stay, read from the generation they are in."""
        for entry in self._change.kept:
            words = DocumentWords()
            for key, source in current.passages(entry.position):
                if "vector" in source:
                    source["vector"] = self._vector_value(source["vector"])
                    words.add(passage_of(source), source.get(SEARCHED, ""))
                yield {"_id": key, "_source": source}
            yield self._document({**current.document(entry.position), "text": words.text()})

    def _rows(self, staged: Staging) -> Iterator[_PlacedRow]:
        hashes = staged.hashes()
        for document_id, position in self._change.placed.items():
            history = staged.history(document_id)
            whole = WholeDocument(document_id, position, hashes[document_id], history)
            parents = staged.parents(document_id)
            first = position * ROWS_A_DOCUMENT
            for number, row in enumerate(staged.rows(document_id), start=first):
                yield _PlacedRow(row, number, ancestors(row.id, parents), whole)

    def _passage(self, placed: _PlacedRow, vectors: dict[str, NDArray[np.float32]]) -> Body:
        record = record_of(placed.row)
        placed.document.add(record)
        vector = None
        if record.vector_hash:
            if record.vector_hash not in vectors:
                raise missing_vector(record.vector_hash)
            vector = self._vector_value(vectors[record.vector_hash])
        source = passage_source(record, placed.number, placed.ancestors, vector)
        return {"_id": passage_key(record.passage.id), "_source": source}

    def _finished(self, whole: WholeDocument) -> Body:
        self.empty += whole.empty
        self.fields |= whole.fields
        return self._document(whole.source())

    def _document(self, source: dict[str, Any]) -> Body:
        name = passage_key(source["document_id"])
        return {"_index": self._documents, "_id": name, "_source": source}


def deletions(keys: Iterable[str]) -> Iterator[Body]:
    """Yield the actions that delete entries by the server's `_id`."""
    for key in keys:
        yield {"_op_type": "delete", "_id": key}


def ancestors(identifier: str, parents: dict[str, str | None]) -> tuple[str, ...]:
    """Return the IDs of the passages that enclose one, outermost first.

    Args:
        identifier: of the passage.
        parents: ID → parent, of all passages of the document; the data may hold circles.
    """
    chain: list[str] = []
    parent = parents.get(identifier)
    while parent is not None and parent != identifier and parent not in chain:
        chain.append(parent)
        parent = parents.get(parent)
    return tuple(reversed(chain))
