"""What a load reads of the generation that it will replace, and what it does to its documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.engines.schema import check_current
from search.engines.servers import generations
from search.engines.servers.connection.client import Body, Client
from search.engines.servers.generations import Indices
from search.engines.servers.manifest import Generation
from search.engines.servers.records import ROWS_A_DOCUMENT, passage_key
from search.engines.servers.searching.queries import all_in_order
from search.engines.staging import Staging
from search.engines.stored_rows import passage_of
from search.errors import IndexLostError, IndexUnavailableError
from search.messages.refusals import another_encoder, taken_id
from search.records import EncoderIdentity

_DOCUMENTS_AT_ONCE = 5000
_ROWS_AT_ONCE = 10_000
"""Most hits that the servers give in one answer."""
_PASSAGES_AT_ONCE = 500
"""Whole passages with vectors in one answer: some 5 MB."""
_KEYS_AT_ONCE = 1000


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
        found = all_in_order(
            self._client, self.generation.documents, names, page=_DOCUMENTS_AT_ONCE
        )
        return [
            DocumentEntry(
                position=one["row"],
                document_id=one["document_id"],
                content_hash=one["content_hash"],
                passages=one["passages"],
                empty=one["empty"],
                fields=tuple(one["fields"]),
            )
            for one in found
        ]

    def known(self, hashes: Iterable[str]) -> set[str]:
        """Return which of the hashes are those of vectors here."""
        return {name for name, _ in self._by_hash(hashes, source=False)}

    def vectors(self, hashes: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return those of the vectors that are here."""
        return {
            name: np.array(hit["_source"]["vector"], np.float32)
            for name, hit in self._by_hash(hashes, source=["vector"])
        }

    def keys(self, positions: Iterable[int]) -> Iterator[str]:
        """Yield the server's `_id` of every passage of the documents at these positions."""
        for position in positions:
            for page in self._pages(position, _ROWS_AT_ONCE, source=False):
                yield from (hit["_id"] for hit in page)

    def owners(self, keys: Sequence[str]) -> dict[str, int]:
        """Return `_id` → position of its document, for those that are here."""
        found = {}
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            part = list(keys[start : start + _KEYS_AT_ONCE])
            for hit in self._passages(
                {"ids": {"values": part}},
                _source=False,
                docvalue_fields=["document"],
                size=len(part),
            ):
                found[hit["_id"]] = int(hit["fields"]["document"][0])
        return found

    def passage_number(self, key: str) -> str:
        """Return the number of a passage by its `_id`."""
        body = {"_source": ["passage_id"], "query": {"ids": {"values": [key]}}}
        (hit,) = self._search(self.generation.passages, body)
        return str(hit["_source"]["passage_id"])

    def passages(self, position: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (`_id`, document with its vector) for every passage of a document, in order."""
        for page in self._pages(position, _PASSAGES_AT_ONCE, source=True):
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

    def _by_hash(
        self, hashes: Iterable[str], *, source: bool | list[str]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each hash that is here with one passage that has its vector."""
        wanted = sorted(set(hashes))
        for start in range(0, len(wanted), _KEYS_AT_ONCE):
            part = wanted[start : start + _KEYS_AT_ONCE]
            having = [{"terms": {"vector_hash": part}}, {"exists": {"field": "vector"}}]
            for hit in self._passages(
                {"bool": {"filter": having}},
                _source=source,
                docvalue_fields=["vector_hash"],
                collapse={"field": "vector_hash"},
                size=len(part),
            ):
                yield hit["fields"]["vector_hash"][0], hit

    def _pages(self, position: int, size: int, *, source: bool) -> Iterator[list[dict[str, Any]]]:
        """Yield the hits of all passages of a document, in order, page by page."""
        first = position * ROWS_A_DOCUMENT
        rows = {"range": {"row": {"gte": first, "lt": first + ROWS_A_DOCUMENT}}}
        query = {"bool": {"filter": [rows]}}
        after: dict[str, Any] = {}
        while page := self._passages(query, _source=source, sort=["row"], size=size, **after):
            yield page
            if len(page) < size:
                return
            after = {"search_after": page[-1]["sort"]}

    def _passages(self, query: Body, **more: Any) -> list[dict[str, Any]]:
        body = {"track_total_hits": False, "query": query, **more}
        return self._search(self.generation.passages, body)

    def _search(self, index: str, body: Body) -> list[dict[str, Any]]:
        hits: list[dict[str, Any]] = self._client.search(index, body)["hits"]["hits"]
        return hits


@dataclass(frozen=True, slots=True)
class Replaced:
    """What the aliases name when a load begins."""

    indices: Indices
    """None where there is no index yet, or an alias is lost."""
    kept: Current | None
    """What the new state begins with; None for a first load and a rebuild."""
    vectors: Current | None
    """What has vectors of the load's encoder."""
    stamp: str
    """Time stamp of the generation that users go back to from the load's; "" where there is none.

    One whose aliases somebody removed is such a generation, so that no load deletes it at once."""

    @classmethod
    def find(cls, client: Client, encoder: EncoderIdentity, rebuild: bool) -> Replaced:
        """Look at what is there.

        Raises:
            EncoderMismatchError: it has vectors of another encoder, and is not rebuilt.
            IndexUnavailableError: it cannot be used, or is not an index of rirag.
            IndexLostError: it lost an alias, and is not rebuilt.
        """
        if not generations.exists(client):
            return cls((None, None), None, None, "")
        try:
            indices = generations.replaceable(client)
        except IndexLostError:
            found = generations.remains(client)
            if found is None or not rebuild:
                raise
            indices_left, kept = found
            return cls(indices_left, None, None, kept.manifest.generation if kept else "")
        stamp = indices[0].rpartition("-")[2]
        try:
            generation = generations.resolve(client)
        except IndexUnavailableError:
            if not rebuild:
                raise
            return cls(indices, None, None, stamp)
        if not rebuild:
            check_current(client.address.url, generation.manifest.schema_version)
        current = Current(client, generation)
        if generation.manifest.encoder == encoder:
            return cls(indices, None if rebuild else current, current, stamp)
        if not rebuild:
            raise another_encoder(client.address.url, generation.manifest.encoder, encoder)
        return cls(indices, None, None, stamp)


@dataclass(frozen=True, slots=True)
class Change:
    """The difference between the current generation and the next."""

    kept: tuple[DocumentEntry, ...]
    """Documents that stay as they are."""
    gone: tuple[DocumentEntry, ...]
    """Documents that are deleted, or replaced."""
    placed: dict[str, int]
    """document_id → position of what was given to the load, in the order given."""
    passages: int
    """How many passages were given to the load."""

    @classmethod
    def of(
        cls,
        current: Sequence[DocumentEntry],
        given: Iterable[str],
        passages: dict[str, int],
        deleted: AbstractSet[str],
    ) -> Change:
        """Compare.

        Args:
            current: documents of the current generation.
            given: IDs of all documents given to the load, in order.
            passages: document_id → passages, of those that have any; others are left out.
            deleted: IDs of documents to be removed.
        """
        positions = {one.document_id: one.position for one in current}
        touched = set(deleted)
        following = max(positions.values(), default=-1) + 1
        placed: dict[str, int] = {}
        for document_id in given:
            touched.add(document_id)
            if document_id not in passages:
                continue
            placed[document_id] = positions.get(document_id, following)
            following += document_id not in positions
        return cls(
            kept=tuple(one for one in current if one.document_id not in touched),
            gone=tuple(one for one in current if one.document_id in touched),
            placed=placed,
            passages=sum(passages.values()),
        )

    @property
    def total(self) -> int:
        """How many passages the next generation has."""
        return self.passages + sum(one.passages for one in self.kept)

    def check_unique(self, staged: Staging, current: Current | None) -> None:
        """Refuse an ID of what is loaded that is in use by what stays.

        Raises:
            InputError: it names both passages.
        """
        if current is None or not self.kept:
            return
        staying = {one.position: one.document_id for one in self.kept}
        ids = (identifier for identifier, _ in staged.ids())
        while part := list(islice(ids, _KEYS_AT_ONCE)):
            keys = {passage_key(identifier): identifier for identifier in part}
            for key, position in current.owners(list(keys)).items():
                if position in staying:
                    number = current.passage_number(key)
                    new = passage_of(staged.row(keys[key]).body)
                    raise taken_id(new, number, staying[position])
