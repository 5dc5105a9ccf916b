"""The server engine: one generation of an index, read through searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from search.caches import LastUsed
from search.candidates import Candidate
from search.engines.protocol import IndexDescription, RetrievalRequest, RetrievalResults
from search.engines.servers.connection.client import Body, Client, NotFoundError
from search.engines.servers.generations.manifest import Generation
from search.engines.servers.product import Product
from search.engines.servers.records import (
    ROWS_A_DOCUMENT,
    facet,
    metadata_of,
    passage_of,
)
from search.engines.servers.searching import queries
from search.engines.servers.searching.reading import (
    PAGE,
    document_counts,
    in_order,
    multi_search,
    search,
)
from search.engines.servers.searching.retrievers import Retrievers
from search.errors import IndexCorruptError, IndexUnavailableError
from search.messages.refusals import on_index
from search.records import DocumentSummary, Filters, Key, Passage

CAPACITY = 4096
"""Passages that are kept: some 10 MB of regulation."""

Stored = Mapping[str, Any]
"""A passage as the server keeps it (see `records.passage_source`)."""


class PassageCache:
    """The passages used last, by row; safe to share between threads.

    Most of what comes along with a search is never asked for, so it becomes a passage only then.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._kept: LastUsed[int, Passage | Stored] = LastUsed(capacity)

    def known(self, rows: Iterable[int]) -> dict[int, Passage]:
        """Return those of the rows that are kept."""
        passages = {
            row: one if isinstance(one, Passage) else passage_of(one)
            for row, one in self._kept.known(rows).items()
        }
        self._kept.keep(passages)
        return passages

    def keep(self, stored: Iterable[Stored]) -> None:
        """Keep passages, and forget those that were not used for longest."""
        self._kept.keep_new({one["row"]: one for one in stored})


class ServerEngine:
    """Implements `search.engines.protocol.Engine`; safe to share between threads."""

    def __init__(
        self, client: Client, product: Product, generation: Generation, about: IndexDescription
    ) -> None:
        """Read which documents there are.

        Args:
            client: of the server; closed with the engine.
            product: that carries the index.
            generation: to be read; it never changes.
            about: what callers get to know of it.
        """
        self._client = client
        self._generation = generation
        self._about = about
        self._cache = PassageCache()
        with self._faults_told():
            pages = in_order(client, generation.documents, queries.DOCUMENT_FIELDS)
            self._documents = {one["row"]: _summary(one) for page in pages for one in page}
        self._document_ids = {row: one.document_id for row, one in self._documents.items()}
        factor = product.bm25_factor(client.info())
        self._retrievers = Retrievers(
            product, generation, self._document_ids, self._cache.keep, factor
        )

    @property
    def state(self) -> str:
        """The generation: no two of them have one name."""
        return self._about.generation

    def describe(self) -> IndexDescription:
        """Return what the index holds."""
        return self._about

    def run(self, request: RetrievalRequest) -> RetrievalResults:
        """Run the retrievers of a question, in one round trip where possible."""
        with self._faults_told():
            return self._retrievers.run(request, partial(multi_search, self._client))

    def passages(self, keys: Sequence[Key]) -> list[Passage]:
        """Return the passages of candidates, in the order asked."""
        found = self._cache.known(set(keys))
        missing = sorted(set(keys) - found.keys())
        with self._faults_told():
            for start in range(0, len(missing), PAGE):
                body = queries.by_rows(missing[start : start + PAGE])
                answer = search(self._client, self._generation.passages, body)
                sources = [hit["_source"] for hit in answer["hits"]["hits"]]
                found |= {one["row"]: passage_of(one) for one in sources}
                self._cache.keep(sources)
            return [found[key] for key in keys]

    def find(self, filters: Filters, limit: int | None = None) -> list[tuple[Candidate, Passage]]:
        """Return passages that meet filters and lookups, in index order."""
        index, known = self._generation.passages, self._generation.manifest.filter_fields
        clauses = queries.filter_clauses(filters, known)
        with self._faults_told():
            pages = in_order(self._client, index, queries.PASSAGE_FIELDS, clauses, limit=limit)
            return [(self._candidate(one), passage_of(one)) for page in pages for one in page]

    def values(self, field: str) -> tuple[str, ...]:
        """Return the different values that passages have in a filter field."""
        body, before = queries.values_of(field), len(facet(field, ""))
        with self._faults_told():
            answer = search(self._client, self._generation.passages, body)
            buckets = answer["aggregations"]["values"]["buckets"]
            return tuple(sorted(one["key"][before:] for one in buckets))

    def documents(self) -> list[DocumentSummary]:
        """Return the documents in the order they were first loaded."""
        return list(self._documents.values())

    def verify(self) -> list[str]:
        """Compare what the server holds with what was loaded."""
        with self._faults_told():
            return problems(self._client, self._generation, self._about.url)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _candidate(self, source: dict[str, Any]) -> Candidate:
        row = source["row"]
        return Candidate(row, self._document_ids[row // ROWS_A_DOCUMENT], 1.0, source["kind"])

    @contextmanager
    def _faults_told(self) -> Iterator[None]:
        """Say what it means that an opened generation is gone, or not what was written."""
        try:
            yield
        except KeyError as error:
            raise IndexCorruptError(
                f"the index {self._about.url} lacks something that was written, or "
                f"contains something that rirag did not write ({error}); run: "
                + on_index("rirag doctor", self._about.url)
            ) from error
        except NotFoundError as error:
            raise IndexUnavailableError(
                f"the opened state of {self._about.url} was replaced by a later load "
                "or deleted, and is gone from the server; open the index again, or "
                "load it again if it no longer exists",
                code="index.replaced",
            ) from error


def _summary(source: dict[str, Any]) -> DocumentSummary:
    metadata = dict(sorted(metadata_of(source["metadata"]).items()))
    return DocumentSummary(source["document_id"], source["title"], source["passages"], metadata)


DOCUMENTS_AT_ONCE = 10_000


def problems(client: Client, generation: Generation, url: str) -> list[str]:
    """Return one sentence for everything that is missing or too much."""
    back = on_index("rirag reindex --rollback", url)
    mend = f"restore a snapshot, load into another index, or go back with: {back}"
    return [f"{what}; {mend}" for what in _wrong(client, generation)]


def _wrong(client: Client, generation: Generation) -> Iterator[str]:
    manifest = generation.manifest
    vectors: Body = {"exists": {"field": "vector"}}
    counts = [
        ("passages", manifest.passages, _count(client, generation.passages)),
        ("documents", manifest.documents, _count(client, generation.documents)),
        (
            "vectors",
            manifest.passages - manifest.empty_passages,
            _count(client, generation.passages, vectors),
        ),
    ]
    for name, wanted, found in counts:
        if wanted != found:
            held = f"{wanted:,} {name} and holds {found:,}"
            yield f"the index {generation.passages} should hold {held}"
    yield from _incomplete_documents(client, generation)


def _count(client: Client, index: str, query: Body | None = None) -> int:
    body = {"query": query or {"match_all": {}}}
    return int(client.request("POST", f"/{index}/_count", body)["count"])


def _incomplete_documents(client: Client, generation: Generation) -> Iterator[str]:
    found = _passages_a_document(client, generation)
    fields = ("row", "document_id", "passages")
    for page in in_order(client, generation.documents, fields):
        for document in page:
            here = found.pop(document["row"], 0)
            if here != document["passages"]:
                yield (
                    f"the document {document['document_id']!r} should have "
                    f"{document['passages']:,} passages and has {here:,}"
                )
    if found:
        yield f"{sum(found.values()):,} passages belong to no document"


def _passages_a_document(client: Client, generation: Generation) -> dict[int, int]:
    counts: dict[int, int] = {}
    after: int | None = None
    while True:
        body = queries.documents_of([], DOCUMENTS_AT_ONCE, after)
        page, after = document_counts(search(client, generation.passages, body))
        counts |= page
        if after is None:
            return counts
