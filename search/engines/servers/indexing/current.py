"""What a load reads of the generation that it will replace: documents, vectors, passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.engines.servers.connection.client import Client
from search.engines.servers.generations.manifest import Generation
from search.engines.servers.records import ROWS_A_DOCUMENT
from search.engines.servers.searching.reading import in_order, search

_DOCUMENTS_AT_ONCE = 5000
_ROWS_AT_ONCE = 10_000
"""Most hits that the servers give in one answer."""
_PASSAGES_AT_ONCE = 500
"""Whole passages with vectors in one answer: some 5 MB."""
_HASHES_AT_ONCE = 1000
_WITH_VECTOR = {"exists": {"field": "vector"}}
_QUIET: dict[str, Any] = {"track_total_hits": False}


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """One document as the index of documents has it."""

    position: int
    document_id: str
    content_hash: str
    passages: int
    empty: int
    fields: tuple[str, ...]
    """Names of what its passages can be filtered by."""


class Current:
    """Reads one generation; it never changes, so neither does what is read."""

    def __init__(self, client: Client, generation: Generation) -> None:
        self._client = client
        self.generation = generation

    def documents(self) -> list[DocumentEntry]:
        """Return all documents by position."""
        names = ("row", "document_id", "content_hash", "passages", "empty", "fields")
        pages = in_order(self._client, self.generation.documents, names, page=_DOCUMENTS_AT_ONCE)
        return [
            DocumentEntry(
                position=one["row"],
                document_id=one["document_id"],
                content_hash=one["content_hash"],
                passages=one["passages"],
                empty=one["empty"],
                fields=tuple(one["fields"]),
            )
            for page in pages
            for one in page
        ]

    def known(self, hashes: Iterable[str]) -> set[str]:
        """Return which of the hashes are those of vectors here."""
        return {
            hit["fields"]["vector_hash"][0]
            for hit in self._by_hash(hashes, {"_source": False, "docvalue_fields": ["vector_hash"]})
        }

    def vectors(self, hashes: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return those of the vectors that are here."""
        asked = {"_source": ["vector"], "docvalue_fields": ["vector_hash"]}
        return {
            hit["fields"]["vector_hash"][0]: np.array(hit["_source"]["vector"], np.float32)
            for hit in self._by_hash(hashes, asked)
        }

    def keys(self, positions: Iterable[int]) -> Iterator[str]:
        """Yield the server's `_id` of every passage of the documents at these positions."""
        for position in positions:
            body = {
                **_QUIET,
                "_source": False,
                "query": _document_rows(position),
                "sort": ["row"],
                "size": _ROWS_AT_ONCE,
            }
            for page in self._batches(self.generation.passages, body):
                yield from (hit["_id"] for hit in page)

    def owners(self, keys: Sequence[str]) -> dict[str, int]:
        """Return `_id` → position of its document, for those that are here."""
        found = {}
        for start in range(0, len(keys), _HASHES_AT_ONCE):
            part = list(keys[start : start + _HASHES_AT_ONCE])
            body = {
                **_QUIET,
                "_source": False,
                "docvalue_fields": ["document"],
                "query": {"ids": {"values": part}},
                "size": len(part),
            }
            for hit in self._search(self.generation.passages, body):
                found[hit["_id"]] = int(hit["fields"]["document"][0])
        return found

    def passage_number(self, key: str) -> str:
        """Return the number of a passage by its `_id`."""
        body = {"_source": ["passage_id"], "query": {"ids": {"values": [key]}}}
        (hit,) = self._search(self.generation.passages, body)
        return str(hit["_source"]["passage_id"])

    def passages(self, position: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (`_id`, document with its vector) for every passage of a document, in order."""
        body = {
            **_QUIET,
            "_source": True,
            "query": _document_rows(position),
            "sort": ["row"],
            "size": _PASSAGES_AT_ONCE,
        }
        for page in self._batches(self.generation.passages, body):
            hashes = {hit["_source"].get("vector_hash") for hit in page} - {None}
            vectors = self.vectors(hashes)
            for hit in page:
                source = {name: one for name, one in hit["_source"].items() if name != "vector"}
                if "vector_hash" in source:
                    source["vector"] = vectors[source["vector_hash"]]
                yield hit["_id"], source

    def document(self, position: int) -> dict[str, Any]:
        """Return the document at a position as the index of documents has it, without its text."""
        body = {"query": {"term": {"row": position}}}
        (hit,) = self._search(self.generation.documents, body)
        return dict(hit["_source"])

    def _by_hash(self, hashes: Iterable[str], asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield one passage for each hash that is here."""
        wanted = sorted(set(hashes))
        for start in range(0, len(wanted), _HASHES_AT_ONCE):
            part = wanted[start : start + _HASHES_AT_ONCE]
            body = {
                **_QUIET,
                **asked,
                "query": {"bool": {"filter": [{"terms": {"vector_hash": part}}, _WITH_VECTOR]}},
                "collapse": {"field": "vector_hash"},
                "size": len(part),
            }
            yield from self._search(self.generation.passages, body)

    def _batches(self, index: str, body: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
        """Yield all hits of a sorted search, page by page."""
        while page := self._search(index, body):
            yield page
            if len(page) < body["size"]:
                return
            body = {**body, "search_after": page[-1]["sort"]}

    def _search(self, index: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        hits: list[dict[str, Any]] = search(self._client, index, body)["hits"]["hits"]
        return hits


def _document_rows(position: int) -> dict[str, Any]:
    first = position * ROWS_A_DOCUMENT
    rows = {"range": {"row": {"gte": first, "lt": first + ROWS_A_DOCUMENT}}}
    return {"bool": {"filter": [rows]}}
