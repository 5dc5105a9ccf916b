"""An index of which only some passages exist for whoever holds it.

Everything that is derived from passages goes through the engine and the names of the documents, so
that limiting these two limits hits, counts, references, notes and messages alike.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from search.engines.protocol import Engine, IndexDescription, RetrievalRequest, RetrievalResults
from search.errors import InputError
from search.index import Index
from search.lookup.question import FilterConditions, resolve_filters
from search.models.encoders.asking import AskedVectors
from search.pipeline import Pipeline
from search.provisions.documents.names import DocumentNames
from search.records import DocumentSummary, Filters, Key, MetadataValue, Passage

if TYPE_CHECKING:
    from search.candidates import Candidate

NOTHING = Filters({"document_id": ()})
"""What no passage meets."""

ALWAYS = ("document_id", "kind")
"""Filter fields that every index has."""


class LimitedIndex(Index):
    """A view of an opened index that holds only the passages which meet some filters.

    It follows the index it belongs to, closes nothing, and has no answered questions: their words
    and passages may be those of others.
    """

    def __init__(self, whole: Index, filters: FilterConditions) -> None:
        self.url = whole.url
        self._whole = whole
        self._conditions = filters
        self._made: tuple[Engine, Pipeline] | None = None
        self._making = threading.Lock()
        self._asked = AskedVectors()

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline over what can be seen."""
        return self._limited(self._whole.pipeline)

    def verify(self) -> list[str]:
        """Refuse: the check reads every stored byte."""
        raise InputError("only the whole index can be verified", code="index.limited")

    def refresh(self) -> bool:
        """Open the newest state of the whole index."""
        return self._whole.refresh()

    def close(self) -> None:
        """Leave the index open: it belongs to others."""

    def __enter__(self) -> Self:
        return self

    @contextmanager
    def _in_use(self, rerank: bool = True, answered_questions: bool = True) -> Iterator[Pipeline]:  # noqa: ARG002
        with self._whole._in_use(rerank, answered_questions=False) as pipeline:
            yield replace(self._limited(pipeline), reranker=pipeline.reranker)

    def _limited(self, pipeline: Pipeline) -> Pipeline:
        """Return the pipeline over what can be seen; made once for each state of the index."""
        with self._making:
            if self._made is None or self._made[0] is not pipeline.engine:
                filters = _resolved(self._conditions, pipeline)
                engine = LimitedEngine(pipeline.engine, filters)
                names = DocumentNames(engine.documents(), self.url)
                limited = replace(
                    pipeline,
                    engine=engine,
                    names=names,
                    answered_questions=None,
                    answered_questions_note="",
                )
                self._made = (pipeline.engine, limited)
            return self._made[1]


def _resolved(conditions: FilterConditions, pipeline: Pipeline) -> Filters:
    """Return the conditions as engines take them; what the index does not know, nothing meets."""
    try:
        filters = resolve_filters(conditions, pipeline.names)
    except InputError:
        return NOTHING
    known = pipeline.engine.describe().filter_fields
    return filters if all(field in known for field in filters.fields) else NOTHING


class LimitedEngine:
    """An `Engine` that adds filters to everything that is asked of another one."""

    def __init__(self, engine: Engine, filters: Filters) -> None:
        self._engine = engine
        self._filters = filters

    @property
    def state(self) -> str:
        """The state of the engine behind it."""
        return self._engine.state

    def describe(self) -> IndexDescription:
        """Return what can be seen of the index; its size on disk is that of the whole."""
        return self._described

    @cached_property
    def _described(self) -> IndexDescription:
        fields = {name for passage in self._visible for name in passage.metadata}
        return replace(
            self._engine.describe(),
            passages=len(self._visible),
            documents=len(self.documents()),
            empty_passages=sum(not passage.text for passage in self._visible),
            size_bytes=0,
            filter_fields=tuple(sorted({*ALWAYS, *fields})),
        )

    @cached_property
    def _visible(self) -> tuple[Passage, ...]:
        return tuple(passage for _, passage in self.find(Filters()))

    def run(self, request: RetrievalRequest) -> RetrievalResults:
        """Run the retrievers over what can be seen."""
        limited = self._limited(request)
        return RetrievalResults() if limited is None else self._engine.run(limited)

    def passages(self, keys: Sequence[Key]) -> list[Passage]:
        """Return the passages of candidates, all of which were found here."""
        return self._engine.passages(keys)

    def find(self, filters: Filters, limit: int | None = None) -> list[tuple[Candidate, Passage]]:
        """Return the passages that meet these filters and the limiting ones."""
        both = self._both(filters)
        return [] if both is None else self._engine.find(both, limit)

    def values(self, field: str) -> tuple[str, ...]:
        """Return the values of a field in the whole index."""
        return self._engine.values(field)

    def documents(self) -> list[DocumentSummary]:
        """Return the documents of which any passage can be seen, with the number of these."""
        return list(self._documents)

    @cached_property
    def _documents(self) -> tuple[DocumentSummary, ...]:
        seen = Counter(passage.document_id for passage in self._visible)
        return tuple(
            replace(document, passages=seen[document.document_id], metadata=self._shared(document))
            for document in self._engine.documents()
            if seen[document.document_id]
        )

    def _shared(self, document: DocumentSummary) -> Mapping[str, MetadataValue]:
        """Return the fields that all passages of a document which can be seen share."""
        of_it = [one for one in self._visible if one.document_id == document.document_id]
        first = of_it[0].metadata
        return {
            name: value
            for name, value in first.items()
            if all(one.metadata.get(name) == value for one in of_it)
        }

    def verify(self) -> list[str]:
        """Check what is stored."""
        return self._engine.verify()

    def close(self) -> None:
        """Leave the engine open: it belongs to the whole index."""

    def _limited(self, request: RetrievalRequest) -> RetrievalRequest | None:
        both = self._both(request.filters)
        return None if both is None else replace(request, filters=both)

    def _both(self, filters: Filters) -> Filters | None:
        """Return the filters together with the limiting ones; None: nothing can meet both."""
        fields = dict(filters.fields)
        for name, allowed in self._filters.fields.items():
            asked = fields.get(name)
            fields[name] = (
                allowed if asked is None else tuple(value for value in asked if value in allowed)
            )
        excluded = {**self._filters.excluded, **filters.excluded}
        return Filters(fields, excluded) if all(fields.values()) else None
