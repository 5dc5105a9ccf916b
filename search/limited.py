"""An index of which only some passages exist for whoever holds it.

Everything that is derived from passages goes through the engine and the names of the documents, so
that limiting these two limits hits, counts, references, notes and messages alike.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import chain, groupby
from typing import Self

import numpy as np
from numpy.typing import NDArray

from search.caches import LastUsed
from search.candidates import Candidate, Candidates
from search.contexts import contexts_of
from search.engines.embedded.store import facet
from search.engines.protocol import (
    LOOKUPS,
    Engine,
    IndexDescription,
    RetrievalRequest,
    RetrievalResults,
)
from search.engines.stored_rows import CommonMetadata, DocumentWords, facets_of
from search.engines.terms import terms_of
from search.errors import InputError
from search.index import Index
from search.law_in_time import STATUS_IN_TIME
from search.lookup.question import FilterConditions, resolve_filters
from search.models.encoders.asking import AskedVectors, encode_passages
from search.models.encoders.protocol import Encoder
from search.pipeline import Pipeline
from search.provisions.documents.names import DocumentNames
from search.ranking.steps.protocol import MOST_KNOWN_WORDS
from search.records import LANGUAGE, DocumentSummary, Filters, Key, Passage
from search.text.bm25 import BM25Index, codes_of
from search.versions.history import History

NOTHING = Filters({"document_id": ()})
"""What no passage meets."""

Rows = NDArray[np.bool_]
"""Which of the passages that can be seen are meant; shape (passages,)."""

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
                engine = LimitedEngine(pipeline.engine, filters, pipeline.encoder)
                names = DocumentNames(engine.documents(), self.url)
                limited = replace(
                    pipeline,
                    engine=engine,
                    names=names,
                    answered_questions=None,
                    answered_questions_note="",
                    stored_statuses=engine.values(STATUS_IN_TIME),
                    languages=engine.values(LANGUAGE),
                    known_words=LastUsed(MOST_KNOWN_WORDS),
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
    """An `Engine` over those passages of another one that meet some filters, as if it had no other:
    words weigh what they weigh in these, and no heading of others is shown or searched.
    """

    def __init__(self, engine: Engine, filters: Filters, encoder: Encoder) -> None:
        self._engine = engine
        self._filters = filters
        self._encoder = encoder
        self._lock = threading.Lock()
        self._read: Retrievers | None = None

    @property
    def state(self) -> str:
        """The state of the engine behind it."""
        return self._engine.state

    def describe(self) -> IndexDescription:
        """Return what can be seen of the index; its size on disk is not told."""
        return self._described

    @cached_property
    def _described(self) -> IndexDescription:
        fields = {name for passage in self._visible.values() for name in passage.metadata}
        return replace(
            self._engine.describe(),
            passages=len(self._visible),
            documents=len(self._documents),
            empty_passages=sum(not passage.text for passage in self._visible.values()),
            size_bytes=0,
            filter_fields=tuple(sorted({*ALWAYS, *fields})),
        )

    @property
    def _visible(self) -> dict[Key, Passage]:
        return self._seen[0]

    @cached_property
    def _seen(self) -> tuple[dict[Key, Passage], frozenset[Key]]:
        """Return what can be seen, and the keys of passages below headings of others."""
        found = {one.key: passage for one, passage in self._engine.find(self._filters)}
        seen = Counter(passage.document_id for passage in found.values())
        parted = tuple(
            one.document_id
            for one in self._engine.documents()
            if 0 < seen[one.document_id] < one.passages
        )
        if not parted:
            return found, frozenset()
        whole = [one for _, one in self._engine.find(Filters({"document_id": parted}))]
        ids, above = {one.id for one in found.values()}, {one.id: one.parent for one in whole}
        cut = {
            key: _without_others(one, above, ids) if one.id in above else one
            for key, one in found.items()
        }
        places = Counter[str]()
        for key, one in cut.items():  # the places that `history` gives
            if one.document_id in parted:
                cut[key] = replace(one, order=places[one.document_id])
                places[one.document_id] += 1
        return cut, frozenset(k for k, one in cut.items() if one.breadcrumb != found[k].breadcrumb)

    @property
    def _retrievers(self) -> Retrievers:
        with self._lock:
            if self._read is None:
                self._read = Retrievers(*self._seen, self._encoder)
            return self._read

    def run(self, request: RetrievalRequest) -> RetrievalResults:
        """Run the retrievers over what can be seen."""
        both = self._both(request.filters)
        if both is None:
            return RetrievalResults()
        own, depth = self._retrievers, request.depth + len(self._seen[1])
        dense = replace(request, tokens=(), filters=both, documents=False, depth=depth)
        named = not request.filters.fields.keys().isdisjoint(LOOKUPS)
        rows = own.rows_of(self._engine.find(both)) if named else own.rows_with(request.filters)
        return own.run(request, self._engine.run(dense), rows)

    def passages(self, keys: Sequence[Key]) -> list[Passage]:
        """Return the passages of candidates, all of which were found here."""
        return [self._visible[key] for key in keys]

    def find(self, filters: Filters, limit: int | None = None) -> list[tuple[Candidate, Passage]]:
        """Return the passages that meet these filters and the limiting ones."""
        both = self._both(filters)
        found = [] if both is None else self._engine.find(both, limit)
        return [(one, self._visible[one.key]) for one, _ in found]

    def values(self, field: str) -> tuple[str, ...]:
        """Return the different values that passages which can be seen have in a field."""
        held = {pair for passage in self._visible.values() for pair in facets_of(passage)}
        return tuple(sorted(value for name, value in held if name == field))

    def documents(self) -> list[DocumentSummary]:
        """Return the documents of which any passage can be seen, with the number of these."""
        return list(self._documents)

    @cached_property
    def _documents(self) -> tuple[DocumentSummary, ...]:
        seen: dict[str, CommonMetadata] = {}
        for passage in self._visible.values():
            seen.setdefault(passage.document_id, CommonMetadata()).add(passage)
        return tuple(
            replace(document, passages=own.passages, metadata=own.metadata())
            for document in self._engine.documents()
            if (own := seen.get(document.document_id))
        )

    def history(self, document_id: str) -> str:
        """Return the versions of a document with those of its passages that can be seen."""
        whole = self._engine.find(Filters({"document_id": (document_id,)}))
        seen = [one.key in self._visible for one, _ in whole]
        if not any(seen):
            return ""
        return History.of_text(self._engine.history(document_id)).only(seen).to_text()

    def verify(self) -> list[str]:
        """Check what is stored."""
        return self._engine.verify()

    def close(self) -> None:
        """Leave the engine open: it belongs to the whole index."""

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


class Retrievers:
    """The retrievers over some passages of an index, as if it had no other."""

    def __init__(
        self, passages: Mapping[Key, Passage], moved: Container[Key], encoder: Encoder
    ) -> None:
        """Read the words of passages, and encode those whose headings are not what they were."""
        contexts = contexts_of(encoder.revision)
        self._all = Candidates.of(
            Candidate(key, one.document_id, 0, one.kind) for key, one in passages.items()
        )
        self._having: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for row, one in enumerate(passages.values()):
            for field_value in facets_of(one):
                self._having[field_value].append(row)
        terms: dict[str, list[tuple[str, ...]]] = {}
        for document_id, held in groupby(passages.values(), lambda one: one.document_id):
            terms[document_id] = list(terms_of(list(held), contexts.text))
        self._ids = np.array([*terms], np.object_)
        self._document_of = np.repeat(np.arange(len(terms)), [*map(len, terms.values())])
        words = [*chain.from_iterable(terms.values())]
        self._codes = [codes_of(" ".join(one)) for one in words]
        in_time = [[facet(*pair) for pair in facets_of(one)] for one in passages.values()]
        rows = ((row, one) for row, one in enumerate(words) if one)
        self._lexical = BM25Index.of(rows, in_time.__getitem__)
        wholes = [DocumentWords() for _ in terms]
        for document, one, own in zip(self._document_of, passages.values(), words, strict=True):
            wholes[document].add(one, " ".join(own))
        joined = ((at, one.text().split()) for at, one in enumerate(wholes))
        self._whole = BM25Index.of(((at, one) for at, one in joined if one), lambda at: [str(at)])
        texts = [contexts.text(one) if key in moved else "" for key, one in passages.items()]
        self._moved = np.flatnonzero(texts)
        self._vectors = np.empty((0, encoder.dimension), np.float16)
        if len(self._moved):
            encoded = encode_passages(encoder, [texts[row] for row in self._moved])
            self._vectors = encoded.vectors.astype(np.float16)

    def run(
        self, request: RetrievalRequest, found: RetrievalResults, rows: Rows
    ) -> RetrievalResults:
        """Return what a question finds of some rows, beside what the whole's vectors found."""
        if request.vector is not None:
            dense = self._dense(request.vector, found.dense, rows)
            found = replace(found, dense=dense.at(slice(request.depth)))
        return self._with_words(request, found, rows) if request.tokens else found

    def _dense(self, asked: NDArray[np.float32], found: Candidates, rows: Rows) -> Candidates:
        moved = self._all.at(self._moved)
        scores = self._vectors.astype(np.float32) @ asked.astype(np.float16).astype(np.float32)
        own = replace(moved, scores=scores.astype(np.float64)).at(rows[self._moved])
        return found.at(~np.isin(found.keys, moved.keys)).merged(own)

    def _with_words(
        self, request: RetrievalRequest, dense: RetrievalResults, rows: Rows
    ) -> RetrievalResults:
        most = len(self._all) or 1 if request.filters else request.depth
        excluded = request.filters.excluded
        without = [facet(name, value) for name, values in excluded.items() for value in values]
        left = self.rows_with(Filters({}, excluded))
        found, scores = self._lexical.search(
            request.words, most, without=without, weighed=bool(without)
        )
        if without:
            lengths = np.array([len(self._codes[row]) for row in np.flatnonzero(left)])
            average = float(lengths.sum() / max(1, np.count_nonzero(lengths)))
            codes = [self._codes[row] for row in found]
            found, scores = self._lexical.rescored(request.words, without, found, codes, average)
        best = np.flatnonzero(rows[found])[: request.depth]
        lexical = replace(self._all.at(found[best]), scores=scores[best])
        if not request.documents:
            return replace(dense, lexical=lexical)
        absent = np.setdiff1d(self._document_of, self._document_of[left])
        found, scores = self._whole.search(
            request.words, most, without=[*map(str, absent)], weighed=True
        )
        best = np.flatnonzero(np.isin(found, self._document_of[rows]))[: request.depth]
        ids = self._ids[found[best]].tolist()
        documents = tuple(zip(ids, scores[best].tolist(), strict=True))
        return replace(dense, lexical=lexical, documents=documents)

    def rows_of(self, found: Sequence[tuple[Candidate, Passage]]) -> Rows:
        """Return the rows of passages."""
        return np.isin(self._all.keys, [one.key for one, _ in found])

    def rows_with(self, filters: Filters) -> Rows:
        """Return the rows of the passages that meet filters without lookups."""
        rows = np.ones(len(self._all), np.bool_)
        for fields, is_wanted in ((filters.fields, True), (filters.excluded, False)):
            for field, values in fields.items():
                having = [row for value in values for row in self._having.get((field, value), ())]
                met = np.full(len(rows), not is_wanted)
                met[having] = is_wanted
                rows &= met
        return rows


def _without_others(
    passage: Passage, above: Mapping[str, str | None], seen: Container[str]
) -> Passage:
    """Return a passage of a document with its place among those passages that can be seen.

    Labels that cannot be told from those of others are left out.
    """
    around: list[str] = []
    parent = above[passage.id]
    while parent is not None:
        around.append(parent)
        parent = above[parent]
    known = passage.breadcrumb if len(passage.breadcrumb) == len(around) else ()
    kept = tuple(label for label, one in zip(known, around[::-1], strict=False) if one in seen)
    nearest = next((one for one in around if one in seen), None)
    return replace(passage, parent=nearest, breadcrumb=kept)
