"""The server engine: one generation of an index, read through searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from search.caches import LastUsed
from search.candidates import Candidate
from search.engines.protocol import IndexDescription, RetrievalRequest, RetrievalResults
from search.engines.servers.connection.client import Body, Client
from search.engines.servers.connection.faults import NotFoundError
from search.engines.servers.manifest import Generation
from search.engines.servers.records import (
    ROWS_A_DOCUMENT,
    facet,
    metadata_of,
    passage_key,
    passage_of,
)
from search.engines.servers.searching import queries
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

    def __init__(self, client: Client, generation: Generation) -> None:
        """Read which documents there are; the client is closed with the engine."""
        self._client = client
        self._generation = generation
        self._about = generation.manifest.describe(client)
        self._cache = PassageCache()
        with self._faults_told():
            found = queries.all_in_order(client, generation.documents, queries.DOCUMENT_FIELDS)
            self._documents = {one["row"]: _summary(one) for one in found}
        self._document_ids = {row: one.document_id for row, one in self._documents.items()}
        self._retrievers = Retrievers(client, generation, self._document_ids, self._cache.keep)

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
            return self._retrievers.run(request)

    def passages(self, keys: Sequence[Key]) -> list[Passage]:
        """Return the passages of candidates, in the order asked."""
        found = self._cache.known(set(keys))
        missing = sorted(set(keys) - found.keys())
        with self._faults_told():
            for start in range(0, len(missing), queries.PAGE):
                body = queries.by_rows(missing[start : start + queries.PAGE])
                answer = self._client.search(self._generation.passages, body)
                sources = [hit["_source"] for hit in answer["hits"]["hits"]]
                found |= {one["row"]: passage_of(one) for one in sources}
                self._cache.keep(sources)
            return [found[key] for key in keys]

    def find(self, filters: Filters, limit: int | None = None) -> list[tuple[Candidate, Passage]]:
        """Return passages that meet filters and lookups, in index order."""
        index, known = self._generation.passages, self._generation.manifest.filter_fields
        clauses = queries.filter_clauses(filters, known)
        with self._faults_told():
            found = queries.all_in_order(
                self._client, index, queries.PASSAGE_FIELDS, clauses, limit=limit
            )
            return [(self._candidate(one), passage_of(one)) for one in found]

    def values(self, field: str) -> tuple[str, ...]:
        """Return the different values that passages have in a filter field."""
        body, before = queries.values_of(field), len(facet(field, ""))
        with self._faults_told():
            answer = self._client.search(self._generation.passages, body)
            buckets = answer["aggregations"]["values"]["buckets"]
            return tuple(sorted(one["key"][before:] for one in buckets))

    def documents(self) -> list[DocumentSummary]:
        """Return the documents in the order they were first loaded."""
        return list(self._documents.values())

    def history(self, document_id: str) -> str:
        """Return the versions of a document."""
        path = f"/{self._generation.documents}/_doc/{passage_key(document_id)}"
        with self._faults_told():
            found = self._client.request("GET", path, _source_includes="history")
        return str(found["_source"].get("history", ""))

    def verify(self) -> list[str]:
        """Compare what the server holds with what was loaded."""
        back = on_index("rirag reindex --rollback", self._about.url)
        mend = f"restore a snapshot, load into another index, or go back with: {back}"
        with self._faults_told():
            return [f"{what}; {mend}" for what in _problems(self._client, self._generation)]

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


def _problems(client: Client, generation: Generation) -> Iterator[str]:
    """Yield what is missing or too much."""
    manifest, passages = generation.manifest, generation.passages
    with_vector: Body = {"exists": {"field": "vector"}}
    held = manifest.passages - manifest.empty_passages
    counts = [
        ("passages", manifest.passages, _count(client, passages)),
        ("documents", manifest.documents, _count(client, generation.documents)),
        ("vectors", held, _count(client, passages, with_vector)),
    ]
    for name, wanted, found in counts:
        if wanted != found:
            yield f"the index {passages} should hold {wanted:,} {name} and holds {found:,}"
    here = queries.passages_a_document(partial(client.search, passages))
    fields = ("row", "document_id", "passages")
    for document in queries.all_in_order(client, generation.documents, fields):
        found = here.pop(document["row"], 0)
        if found != document["passages"]:
            yield (
                f"the document {document['document_id']!r} should have "
                f"{document['passages']:,} passages and has {found:,}"
            )
    if here:
        yield f"{sum(here.values()):,} passages belong to no document"


def _count(client: Client, index: str, query: Body | None = None) -> int:
    body = {"query": query or {"match_all": {}}}
    return int(client.request("POST", f"/{index}/_count", body)["count"])
