"""The server engine: one generation of an index, read through searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self, TypeVar

from search.candidates import Candidate
from search.engines.protocol import IndexDescription, LegRequest, LegResults
from search.engines.servers.connection.client import Client, NotFoundError
from search.engines.servers.connection.conversations import Conversation, together
from search.engines.servers.generations.stored import Generation
from search.engines.servers.product import Product
from search.engines.servers.records import ROWS_A_DOCUMENT, metadata_of, passage_of
from search.engines.servers.searching import checks, queries
from search.engines.servers.searching.legs import Legs
from search.engines.servers.searching.passage_cache import PassageCache
from search.engines.servers.searching.reading import (
    PAGE,
    in_order,
    multi_search,
    multi_search_async,
    search,
)
from search.engines.servers.searching.recall import measured_recall
from search.errors import IndexCorruptError, IndexUnavailableError
from search.messages.commands import on_index
from search.records import DocumentSummary, Filters, Key, Passage

T = TypeVar("T")


class _GoneError(IndexUnavailableError):
    """The opened generation, or one that was asked with it, is not on the server any more."""


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
            about: what callers are told of it.
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
        self._legs = Legs(product, generation, self._document_ids, self._cache.keep, factor)

    @property
    def state(self) -> str:
        """The generation: no two of them have one name."""
        return self._about.generation

    def describe(self) -> IndexDescription:
        """Return what the index holds."""
        return self._about

    def run(self, request: LegRequest) -> LegResults:
        """Run the legs of a question, in one round trip where possible."""
        return self._talk(self._legs.conversation(request))

    def run_with(
        self, request: LegRequest, beside: Self, asked: LegRequest
    ) -> tuple[LegResults, LegResults | None]:
        """Do what `run` does in two indices of this server, in the same round trips."""
        try:
            mine, theirs = self._talk(self._conversation_with(request, beside, asked))
        except _GoneError:
            return self.run(request), None  # which fails again if it is this one that is gone
        return mine, theirs

    async def run_async(self, request: LegRequest) -> LegResults:
        """Run the legs without blocking the event loop."""
        return await self._talk_async(self._legs.conversation(request))

    async def run_with_async(
        self, request: LegRequest, beside: Self, asked: LegRequest
    ) -> tuple[LegResults, LegResults | None]:
        """Do what `run_with` does without blocking the event loop."""
        try:
            mine, theirs = await self._talk_async(self._conversation_with(request, beside, asked))
        except _GoneError:
            return await self.run_async(request), None
        return mine, theirs

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

    def documents(self) -> list[DocumentSummary]:
        """Return the documents in the order they were first loaded."""
        return list(self._documents.values())

    def verify(self) -> list[str]:
        """Compare what the server holds with what was loaded."""
        with self._faults_told():
            return checks.problems(self._client, self._generation, self._about.url)

    def dense_recall(self, questions: int = 50, depth: int = 100) -> float:
        """Measure the dense leg against all vectors of the index, page by page."""
        with self._faults_told():
            return measured_recall(self._client, self._generation, self.run, questions, depth)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _conversation_with(
        self, request: LegRequest, beside: ServerEngine, asked: LegRequest
    ) -> Conversation[list[LegResults]]:
        return together(self._legs.conversation(request), beside._legs.conversation(asked))

    def _talk(self, conversation: Conversation[T]) -> T:
        with self._faults_told():
            try:
                lines = next(conversation)
                while True:
                    lines = conversation.send(multi_search(self._client, lines))
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    async def _talk_async(self, conversation: Conversation[T]) -> T:
        with self._faults_told():
            try:
                lines = next(conversation)
                while True:
                    lines = conversation.send(await multi_search_async(self._client, lines))
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

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
            raise _GoneError(
                f"the opened state of {self._about.url} was replaced by a later load "
                "or deleted, and is gone from the server; open the index again, or "
                "load it again if it no longer exists"
            ) from error


def _summary(source: dict[str, Any]) -> DocumentSummary:
    metadata = dict(sorted(metadata_of(source["metadata"]).items()))
    return DocumentSummary(source["document_id"], source["title"], source["passages"], metadata)
