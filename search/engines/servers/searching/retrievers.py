"""The retrievers of a question: what to ask the server, and what to make of its answers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from search.candidates import NO_CANDIDATES, Candidates
from search.engines.protocol import RetrievalRequest, RetrievalResults
from search.engines.servers.connection.client import Body
from search.engines.servers.generations.manifest import Generation
from search.engines.servers.mapping import SEARCHED, WINDOW
from search.engines.servers.product import Product
from search.engines.servers.records import ROWS_A_DOCUMENT
from search.engines.servers.searching import queries
from search.engines.servers.searching.reading import (
    Hits,
    best_sources,
    document_counts,
    scored_hits,
)
from search.models.unit_vectors import check_dimension

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Filter = tuple[Body, ...]
Ask = Callable[[list[Body]], list[dict[str, Any]]]
"""Sends the lines of an `_msearch`, two a search, and returns its answers."""

READ_AHEAD = 20
"""Best hits of a retriever whose passages come along, where vectors are compared one by one (a
small index): most searches then need no second round trip (`benchmarks/engines`)."""
TIES = 10
"""Hits beyond the wanted depth that are asked for, so that what ties with the last wanted hit is
seen; where they do not suffice, the retriever is asked again for more."""
DOCUMENT_PAGE = 10_000
"""Documents of one page of an aggregation; both servers stop at 65,536."""
REMEMBERED_FILTERS = 256
FIRST_WITH_CONTEXT = 3
"""The first `SCHEMA_VERSION` whose passages have the field `mapping.SEARCHED`."""


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

    def deeper(self) -> RetrieverSearch:
        """Return the same retriever, asked for more."""
        return replace(self, limit=min(self.limit * 4, WINDOW))

    def complete(self, hits: Hits) -> bool:
        """Return whether nothing that ties with the last wanted hit can be missing."""
        if len(hits.rows) < self.limit or self.limit == WINDOW:
            return True
        return bool(hits.scores[-1] < hits.scores[self.depth - 1])


class Retrievers:
    """The retrievers over one generation; safe to share between threads."""

    def __init__(
        self,
        product: Product,
        generation: Generation,
        document_ids: Mapping[int, str],
        keep: Callable[[Sequence[Mapping[str, Any]]], object],
        bm25_factor: float = 1.0,
    ) -> None:
        """Prepare.

        Args:
            product: that carries the index.
            generation: to be searched.
            document_ids: position → DocumentID.
            keep: takes passages, as stored, that will probably be asked for next.
            bm25_factor: of the product (`Product.bm25_factor`).
        """
        self._keep = keep
        self._product = product
        self._generation = generation
        self._manifest = generation.manifest
        self._document_ids = document_ids
        self._bm25_factor = bm25_factor
        self._remembered: dict[Any, Filter] = {}

    def run(self, request: RetrievalRequest, ask: Ask) -> RetrievalResults:
        """Run all retrievers, in one round trip unless ties or a document filter need more.

        Raises:
            InputError: a filter field is unknown.
            ModelError: the question's vector is of another dimension.
        """
        filters = tuple(queries.filter_clauses(request.filters, self._manifest.filter_fields))
        on_documents = self._document_filter(request, filters, ask)
        found: dict[str, Hits] = {}
        waiting = list(self._wanted(request, filters, on_documents))
        while waiting:
            answers = ask(
                [line for retriever in waiting for line in self._search(retriever, request)]
            )
            deeper: list[RetrieverSearch] = []
            for retriever, answer in zip(waiting, answers, strict=True):
                self._keep(best_sources(answer))
                hits = scored_hits(answer)
                found[retriever.name] = self._wanted_of(retriever, hits)
                deeper.extend(self._again(retriever, hits))
            waiting = deeper
        return self._results(request, found)

    def _wanted(
        self, request: RetrievalRequest, filters: Filter, on_documents: Filter
    ) -> Generator[RetrieverSearch, None, None]:
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
        query: Body = queries.words_query(request.tokens, retriever.filters, field)
        if retriever.name == "dense" and request.vector is not None:
            query = self._product.dense_query(
                request.vector, retriever.limit, retriever.filters, retriever.exact
            )
        if retriever.name == "documents":
            header = queries.header(self._generation.documents)
            return header, queries.best_hits(query, retriever.limit, ["row"])
        body = queries.best_hits(query, retriever.limit, ["row", "kind_code"])
        if self._manifest.exact:
            body |= queries.reading_ahead(READ_AHEAD)
        return queries.header(self._generation.passages), body

    def _again(
        self, retriever: RetrieverSearch, hits: Hits
    ) -> Generator[RetrieverSearch, None, None]:
        """Yield the request once more where its hits may not be the best ones."""
        if not retriever.complete(hits):
            yield retriever.deeper()
        elif (
            not retriever.exact and len(hits.rows) < retriever.limit and self._product.compares_any
        ):
            # Few passages meet the filters, or the graph has led into a corner: a rulebook has
            # hundreds of passages with one and the same text, which know only one another.
            yield replace(retriever, exact=True)

    def _wanted_of(self, retriever: RetrieverSearch, hits: Hits) -> Hits:
        depth = retriever.depth
        best = Hits(hits.rows[:depth], hits.scores[:depth], hits.kinds[:depth])
        if retriever.name == "dense":
            return best._replace(scores=self._product.cosines(best.scores, retriever.exact))
        return best._replace(scores=best.scores * self._bm25_factor)

    def _document_filter(self, request: RetrievalRequest, filters: Filter, ask: Ask) -> Filter:
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
            known = (queries.any_of("row", self._positions(filters, ask)),)
            if len(self._remembered) >= REMEMBERED_FILTERS:
                self._remembered = {}
            self._remembered[asked] = known
        return known

    def _positions(self, filters: Filter, ask: Ask) -> list[int]:
        header = queries.header(self._generation.passages)
        positions: list[int] = []
        after: int | None = None
        while True:
            (answer,) = ask([header, queries.documents_of(filters, DOCUMENT_PAGE, after)])
            page, after = document_counts(answer)
            positions.extend(page)
            if after is None:
                return positions

    def _comparable(self, vector: NDArray[np.float32]) -> bool:
        """Return whether a vector has a direction; one of another dimension is an error."""
        check_dimension(vector, self._manifest.encoder)
        return bool(vector.any())

    def _results(self, request: RetrievalRequest, found: Mapping[str, Hits]) -> RetrievalResults:
        whole = found.get("documents")
        return RetrievalResults(
            lexical=self._candidates(found.get("lexical")),
            dense=self._candidates(found.get("dense")),
            documents=self._documents(whole) if whole else (),
            notes=tuple(notes_on(request)),
        )

    def _documents(self, hits: Hits) -> tuple[tuple[str, float], ...]:
        names = [self._document_ids[row] for row in hits.rows.tolist()]
        return tuple(zip(names, hits.scores.tolist(), strict=True))

    def _candidates(self, hits: Hits | None) -> Candidates:
        if hits is None:
            return NO_CANDIDATES
        positions = (hits.rows // ROWS_A_DOCUMENT).tolist()
        names = [self._document_ids[position] for position in positions]
        return Candidates.columns(hits.rows, names, hits.scores, hits.kinds)


def notes_on(request: RetrievalRequest) -> Generator[str, None, None]:
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
