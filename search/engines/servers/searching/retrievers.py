"""The retrievers of a question: what to ask the server, and what to make of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.candidates import NO_CANDIDATES, Candidates
from search.engines.protocol import RetrievalRequest, RetrievalResults
from search.engines.schema import FIRST_WITH_VERSIONS
from search.engines.servers.connection.client import Body, Client
from search.engines.servers.manifest import Generation
from search.engines.servers.mapping import WINDOW
from search.engines.servers.records import ROWS_A_DOCUMENT, SEARCHED
from search.engines.servers.searching import queries
from search.models.encoders.identity import check_dimension
from search.records import Filters
from search.text.bm25 import Counts, codes_of

Filter = tuple[Body, ...]
READ_AHEAD = 20
"""Best hits of a retriever whose passages come along, where vectors are compared one by one (a
small index): most searches then need no second round trip (`benchmarks/engines`)."""
TIES = 10
"""Hits beyond the wanted depth that are asked for, so that what ties with the last wanted hit is
seen; where they do not suffice, the retriever is asked again for more."""
REMEMBERED_FILTERS = 256
FIRST_WITH_CONTEXT = 3
"""The first `SCHEMA_VERSION` whose passages have the field `records.SEARCHED`."""


class Counted(NamedTuple):
    """What decides the weight of words, as if what filters exclude were not there."""

    left: Counts
    whole: Counts
    average: float
    """Terms of a text that is left."""


class Hits(NamedTuple):
    """The hits of a retriever, best first; every array has the shape (hits,)."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    kinds: NDArray[np.uint8]
    """Codes of the kinds (0 for whole documents)."""
    texts: tuple[str, ...] = ()
    """Index terms of each, where they were asked for."""

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Hits:
        """Read the answer to `queries.best_hits`, with ties in the order of the index.

        Of a search without hits OpenSearch leaves out all that `NOT_READ` names a part of.
        """
        hits = answer.get("hits", {}).get("hits", ())
        found = [hit["sort"] for hit in hits]
        texts = tuple(hit["_source"][SEARCHED] for hit in hits if "_source" in hit)
        if not found:
            return cls(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.uint8))
        scores, rows, *kinds = (np.array(column) for column in zip(*found, strict=True))
        codes = kinds[0] if kinds else np.zeros(len(rows))
        return cls(rows, scores.astype(np.float64), codes.astype(np.uint8), texts)

    def scored(self, scores: NDArray[np.float64]) -> Hits:
        """Return the hits with other scores, in their order."""
        order = np.lexsort((self.rows, -scores))
        return Hits(self.rows[order], scores[order], self.kinds[order])


@dataclass(frozen=True, slots=True)
class RetrieverSearch:
    """One search, and how deep it must be."""

    name: Literal["lexical", "dense", "documents"]
    depth: int
    limit: int
    """Hits to ask for."""
    filters: Filter
    exact: bool = True
    """Whether every vector is compared (dense retriever)."""
    counted: Counted | None = None
    """Where words weigh what they weigh in what is searched."""

    def complete(self, hits: Hits) -> bool:
        """Return whether nothing that ties with the last wanted hit can be missing."""
        if len(hits.rows) < self.limit or self.limit == WINDOW:
            return True
        return bool(hits.scores[-1] < hits.scores[self.depth - 1])


class Retrievers:
    """The retrievers over one generation; safe to share between threads."""

    def __init__(
        self,
        client: Client,
        generation: Generation,
        document_ids: Mapping[int, str],
        keep: Callable[[Sequence[Mapping[str, Any]]], object],
    ) -> None:
        """Prepare.

        Args:
            client: of the server.
            generation: to be searched.
            document_ids: position → DocumentID.
            keep: takes passages, as stored, that will probably be asked for next.
        """
        self._client = client
        self._generation = generation
        self._manifest = generation.manifest
        self._document_ids = document_ids
        self._keep = keep
        self._counts_words = self._manifest.schema_version >= FIRST_WITH_VERSIONS
        self._remembered: dict[Any, Filter] = {}

    def run(self, request: RetrievalRequest) -> RetrievalResults:
        """Run all retrievers, in one round trip unless ties or a document filter need more.

        Raises:
            InputError: a filter field is unknown.
            ModelError: the question's vector is of another dimension.
        """
        filters = tuple(queries.filter_clauses(request.filters, self._manifest.filter_fields))
        on_documents = self._document_filter(request, filters)
        found: dict[str, Hits] = {}
        waiting = list(self._wanted(request, filters, on_documents))
        if request.tokens and request.filters.excluded and self._counts_words:
            counted = self._counted(request)
            waiting = [replace(one, counted=counted.get(one.name)) for one in waiting]
        while waiting:
            lines = [line for retriever in waiting for line in self._search(retriever, request)]
            deeper: list[RetrieverSearch] = []
            answers = self._client.multi_search(lines)
            for retriever, answer in zip(waiting, answers, strict=True):
                if best := answer.get("aggregations", {}).get("best"):
                    self._keep([hit["_source"] for hit in best["hits"]["hits"]])
                hits = Hits.of(answer)
                found[retriever.name] = self._wanted_of(retriever, hits, request)
                deeper.extend(self._again(retriever, hits))
            waiting = deeper
        whole = found.get("documents")
        return RetrievalResults(
            lexical=self._candidates(found.get("lexical")),
            dense=self._candidates(found.get("dense")),
            documents=self._documents(whole) if whole else (),
            notes=tuple(notes_on(request)),
        )

    def _wanted(
        self, request: RetrievalRequest, filters: Filter, on_documents: Filter
    ) -> Iterator[RetrieverSearch]:
        depth = min(request.depth, WINDOW)
        limit = min(depth + TIES, WINDOW)
        if request.tokens:
            yield RetrieverSearch("lexical", depth, limit, filters)
        if request.vector is not None and self._comparable(request.vector):
            yield RetrieverSearch("dense", depth, limit, filters, self._manifest.exact)
        if request.tokens and request.documents:
            yield RetrieverSearch("documents", depth, limit, on_documents)

    def _search(self, retriever: RetrieverSearch, request: RetrievalRequest) -> tuple[Body, Body]:
        """Return the two lines of one search."""
        whole = retriever.name == "documents" or self._manifest.schema_version < FIRST_WITH_CONTEXT
        field = "text" if whole else SEARCHED
        words = request.words
        if counted := retriever.counted:
            words = counted.left.weights(words, counted.whole)
        query: Body = queries.words_query(words, retriever.filters, field)
        if retriever.name == "dense" and request.vector is not None:
            query = self._client.dense_query(
                request.vector, retriever.limit, retriever.filters, retriever.exact
            )
        if retriever.name == "documents":
            header = queries.header(self._generation.documents)
            return header, queries.best_hits(query, retriever.limit, ["row"])
        body = queries.best_hits(query, retriever.limit, ["row", "kind_code"])
        if retriever.counted:
            body |= {"_source": [SEARCHED], "stored_fields": []}
        if self._manifest.exact:
            body |= queries.reading_ahead(READ_AHEAD)
        return queries.header(self._generation.passages), body

    def _again(self, retriever: RetrieverSearch, hits: Hits) -> Iterator[RetrieverSearch]:
        """Yield the request once more where its hits may not be the best ones."""
        if not retriever.complete(hits):
            yield replace(retriever, limit=min(retriever.limit * 4, WINDOW))
        elif not retriever.exact and len(hits.rows) < retriever.limit and self._client.compares_any:
            # Few passages meet the filters, or the graph has led into a corner: a rulebook has
            # hundreds of passages with one and the same text, which know only one another.
            yield replace(retriever, exact=True)

    def _wanted_of(self, retriever: RetrieverSearch, hits: Hits, request: RetrievalRequest) -> Hits:
        depth = retriever.depth
        is_scored = bool(hits.texts)
        if is_scored and (counted := retriever.counted):
            texts = [codes_of(one) for one in hits.texts]
            hits = hits.scored(counted.left.scores(request.words, texts, counted.average))
        best = Hits(hits.rows[:depth], hits.scores[:depth], hits.kinds[:depth])
        if is_scored:
            return best
        if retriever.name == "dense":
            return best._replace(scores=self._client.cosines(best.scores, retriever.exact))
        return best._replace(scores=best.scores * self._client.bm25_factor())

    def _counted(self, request: RetrievalRequest) -> dict[str, Counted]:
        """Return what words weigh for each retriever as if what filters exclude were not there."""
        left = replace(request, filters=Filters({}, request.filters.excluded))
        filters = tuple(queries.filter_clauses(left.filters, self._manifest.filter_fields))
        terms = list(dict.fromkeys(request.tokens))[: queries.MAX_QUERY_TERMS]
        asked = {"lexical": (self._generation.passages, SEARCHED, filters)}
        if request.documents:
            on_documents = self._document_filter(left, filters)
            asked["documents"] = (self._generation.documents, "text", on_documents)
        bodies = [
            (queries.header(index), queries.counts_of(field, terms, clauses))
            for index, field, clauses in asked.values()
        ]
        answers = self._client.multi_search([line for pair in bodies for line in pair])
        return {name: _counted(answer, terms) for name, answer in zip(asked, answers, strict=True)}

    def _document_filter(self, request: RetrievalRequest, filters: Filter) -> Filter:
        """Return the filter for documents that have passages which meet the filters.

        It is remembered, because a generation never changes.
        """
        if not (request.filters and request.tokens and request.documents):
            return ()
        fields, excluded = request.filters.fields, request.filters.excluded
        if set(fields) == {"document_id"} and not excluded:
            return (queries.document_clause(fields["document_id"]),)
        asked = tuple(
            tuple(sorted((name, tuple(values)) for name, values in conditions.items()))
            for conditions in (fields, excluded)
        )
        known = self._remembered.get(asked)
        if known is None:
            positions = queries.passages_a_document(self._asked_of_passages, filters)
            known = (queries.any_of("row", list(positions)),)
            if len(self._remembered) >= REMEMBERED_FILTERS:
                self._remembered = {}
            self._remembered[asked] = known
        return known

    def _asked_of_passages(self, body: Body) -> dict[str, Any]:
        (answer,) = self._client.multi_search([queries.header(self._generation.passages), body])
        return answer

    def _comparable(self, vector: NDArray[np.float32]) -> bool:
        """Return whether a vector has a direction; one of another dimension is an error."""
        check_dimension(vector, self._manifest.encoder)
        return bool(vector.any())

    def _documents(self, hits: Hits) -> tuple[tuple[str, float], ...]:
        names = [self._document_ids[row] for row in hits.rows.tolist()]
        return tuple(zip(names, hits.scores.tolist(), strict=True))

    def _candidates(self, hits: Hits | None) -> Candidates:
        if hits is None:
            return NO_CANDIDATES
        positions = (hits.rows // ROWS_A_DOCUMENT).tolist()
        names = [self._document_ids[position] for position in positions]
        return Candidates.columns(hits.rows, names, hits.scores, hits.kinds)


def _counted(answer: Mapping[str, Any], terms: Sequence[str]) -> Counted:
    """Read the answer to `queries.counts_of`."""
    found = answer["aggregations"]
    every, met = (
        {term: one["doc_count"] for term, one in zip(terms, held["buckets"], strict=True)}
        for held in (found["having"], found["met"]["having"])
    )
    texts, words = found["met"]["doc_count"], found["met"]["words"]["value"] or 0
    whole = Counts(answer["hits"]["total"]["value"], every)
    return Counted(Counts(texts, met), whole, words / max(texts, 1))


def notes_on(request: RetrievalRequest) -> Iterator[str]:
    """Say what of a question cannot be done."""
    distinct = len(set(request.tokens))
    if distinct > queries.MAX_QUERY_TERMS:
        yield (
            f"the search used only the first {queries.MAX_QUERY_TERMS:,} of the "
            f"question's {distinct:,} different words"
        )
    if request.depth > WINDOW:
        yield (
            f"each retriever returned at most {WINDOW:,} of the {request.depth:,} "
            "requested candidates"
        )
    if request.vector is not None and not request.vector.any():
        yield "the question's vector is zero, so the dense retriever was not used"
