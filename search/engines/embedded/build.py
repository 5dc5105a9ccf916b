"""Build a generation from documents: store, filters, vectors, BM25 over passages and documents."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import starmap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search.engines.embedded import layout
from search.engines.embedded.manifest import Manifest, stored_files
from search.engines.embedded.store import Store, StoredDocument, StoreWriter, facet
from search.engines.embedded.vectors import VectorWriter
from search.engines.protocol import Progress
from search.engines.stored_rows import DocumentWords, StoredRow, facets_of, passage_of
from search.law_in_time import STATUS_IN_TIME
from search.records import KINDS, EncoderIdentity
from search.text import bm25

VectorSource = Callable[[str], NDArray[np.float16]]
"""Gives the vector of a hash."""

GivenDocument = tuple[str, str, Iterable[StoredRow], str]
"""document_id, content hash, rows and history of a document."""

_VECTOR_BATCH = 4096


def build_generation(
    folder: Path,
    documents: Iterable[GivenDocument],
    encoder: EncoderIdentity,
    vector_of: VectorSource,
    progress: Progress | None = None,
) -> Manifest:
    """Write all files of a generation into an empty folder and return its manifest.

    Args:
        folder: where to build; nobody reads it yet.
        documents: in order.
        encoder: who made the vectors.
        vector_of: gives the float16 vector, shape (dimension,), of a vector hash.
        progress: called after each pass over the passages; each counts for a quarter of them.
    """
    fields, empty = _write_store(folder, documents)
    store = Store(folder)
    try:
        stored = list(store.documents())
        counts = [document.passages for document in stored]
        positions = np.repeat(np.arange(len(stored), dtype=np.uint32), counts)
        passages = len(positions)
        (folder / layout.ROW_DOCUMENTS).write_bytes(positions.tobytes())
        if STATUS_IN_TIME in fields:
            _write_codes(folder, store, stored)
        passes: list[Callable[[], object]] = [
            lambda: _write_vectors(folder, store, stored, vector_of),
            lambda: bm25.build(folder / layout.LEXICAL, _passage_texts(store, stored)),
            lambda: bm25.build(folder / layout.DOCUMENTS, _document_texts(store, stored)),
        ]
        for done, write in enumerate(passes, start=1):
            if progress:
                progress("load", passages * done // (len(passes) + 1), passages)
            write()
    finally:
        store.close()
    for lock in folder.rglob("*.lock"):
        lock.unlink()
    manifest = Manifest(
        encoder_name=encoder.name,
        encoder_dimension=encoder.dimension,
        encoder_revision=encoder.revision,
        passages=passages,
        documents=len(stored),
        empty_passages=empty,
        filter_fields=tuple(sorted(fields)),
        files=stored_files(folder),
    )
    manifest.write(folder)
    if progress:
        progress("load", passages, passages)
    return manifest


def _write_store(folder: Path, documents: Iterable[GivenDocument]) -> tuple[set[str], int]:
    """Write passages, kinds and filters; return the filter fields and how many are empty."""
    writer = StoreWriter(folder)
    postings: dict[tuple[str, str], array[int]] = {}
    kinds = bytearray()
    empty = 0

    def observed(rows: Iterable[StoredRow]) -> Iterator[StoredRow]:
        nonlocal empty
        for row in rows:
            passage = passage_of(row.body)
            empty += not row.vector_hash
            kinds.append(KINDS.index(passage.kind))
            for field_value in facets_of(passage):
                postings.setdefault(field_value, array("I")).append(writer.rows)
            yield row

    for document_id, content_hash, rows, history in documents:
        writer.add(document_id, content_hash, observed(rows), history)
    (folder / layout.ROW_KINDS).write_bytes(kinds)
    start = 0
    with (folder / layout.FILTERS).open("xb") as file:
        for (field, value), found in sorted(postings.items()):
            writer.add_filter(field, value, start, len(found))
            file.write(found.tobytes())
            start += len(found)
    writer.close()
    return {field for field, _ in postings}, empty


def _write_vectors(
    folder: Path,
    store: Store,
    documents: list[StoredDocument],
    vector_of: VectorSource,
) -> None:
    writer = VectorWriter(folder)
    rows: list[int] = []
    vectors: list[NDArray[np.float16]] = []

    def flush() -> None:
        if rows:
            writer.write(np.array(rows, np.uint32), np.stack(vectors))
            rows.clear()
            vectors.clear()

    with closing(writer):
        for row, stored in _numbered_rows(store, documents):
            if stored.vector_hash:
                rows.append(row)
                vectors.append(vector_of(stored.vector_hash))
            if len(rows) == _VECTOR_BATCH:
                flush()
        flush()


def _write_codes(folder: Path, store: Store, documents: list[StoredDocument]) -> None:
    bounds = array("q", [0])
    with (folder / layout.CODES).open("xb") as file:
        for _, stored in _numbered_rows(store, documents):
            codes = bm25.codes_of(stored.tokens)
            file.write(codes.tobytes())
            bounds.append(bounds[-1] + len(codes))
    (folder / layout.CODE_BOUNDS).write_bytes(bounds.tobytes())


def _numbered_rows(
    store: Store, documents: list[StoredDocument]
) -> Iterator[tuple[int, StoredRow]]:
    for document in documents:
        yield from enumerate(store.rows_of(document), start=document.first_row)


def _passage_texts(
    store: Store, documents: list[StoredDocument]
) -> Iterator[tuple[int, str, list[str]]]:
    # Empty passages stay out: they would shift BM25's average length.
    for row, stored in _numbered_rows(store, documents):
        if stored.tokens:
            facets = starmap(facet, facets_of(passage_of(stored.body)))
            yield row, stored.tokens, list(facets)


def _document_texts(
    store: Store, documents: list[StoredDocument]
) -> Iterator[tuple[int, str, list[str]]]:
    # Documents without words stay out, for the same reason.
    for position, document in enumerate(documents):
        words = DocumentWords()
        for row in store.rows_of(document):
            words.add(passage_of(row.body), row.tokens)
        if text := words.text():
            yield position, text, [facet("document_id", document.document_id)]
