"""The embedded engine: one opened generation of a folder, read through memory maps."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.caches import Remembered
from search.candidates import NO_CANDIDATES, Candidate, Candidates
from search.engines.embedded import layout
from search.engines.embedded.manifest import CHECK_ON_OPEN_BYTES, Manifest
from search.engines.embedded.store import Store, facet
from search.engines.embedded.vectors import VectorIndex, mapped
from search.engines.protocol import LOOKUPS, IndexDescription, RetrievalRequest, RetrievalResults
from search.engines.schema import FIRST_WITH_VERSIONS
from search.engines.stored_rows import metadata_of
from search.errors import IndexCorruptError, IndexUnavailableError
from search.messages.refusals import unknown_filter_field
from search.models.encoders.identity import check_dimension
from search.records import KINDS, DocumentSummary, Filters, Key, Passage
from search.text import bm25
from search.text.bm25 import BM25Index, Scored


class OpenedFiles:
    """The files of a generation; a map is freed with the last object that refers to it."""

    def __init__(self, folder: Path, dimension: int) -> None:
        """Open them.

        Raises:
            OSError, ValueError, sqlite3.DatabaseError: one of them is not what was written.
        """
        self.store = Store(folder)
        try:
            names = [document.document_id for document in self.store.documents()]
            self.documents = np.array(names, np.object_)
            """DocumentIDs, in the order they were first loaded."""
            self.row_documents = mapped(folder / layout.ROW_DOCUMENTS, np.uint32)
            """Position of each row's document."""
            self.row_kinds = mapped(folder / layout.ROW_KINDS, np.uint8)
            """Position of each row's kind in `KINDS`."""
            self.filters = mapped(folder / layout.FILTERS, np.uint32)
            """Rows of every filter value, one range behind the other."""
            self.vectors = VectorIndex(folder, dimension)
            self.lexical = BM25Index(folder / layout.LEXICAL)
            self.whole = BM25Index(folder / layout.DOCUMENTS)
            """The words of every document."""
            self.codes = Codes(folder) if (folder / layout.CODES).exists() else None
        except (OSError, ValueError, sqlite3.DatabaseError):
            self.store.close()
            raise


Rows = NDArray[np.uint32]

MOST_LEFT = 256
"""Days of which is remembered what they leave."""

Excluded = tuple[tuple[str, tuple[str, ...]], ...]
"""`Filters.excluded`."""


class Codes:
    """The terms of every row, for scores that do not count all rows."""

    def __init__(self, folder: Path) -> None:
        self._codes = mapped(folder / layout.CODES, np.uint32)
        self._bounds = mapped(folder / layout.CODE_BOUNDS, np.int64)

    def of(self, rows: Rows) -> list[bm25.Codes]:
        """Return the codes of the terms of each row."""
        bounds = zip(self._bounds[rows], self._bounds[rows + 1], strict=True)
        return [self._codes[first:last] for first, last in bounds]

    def average(self, rows: Rows) -> float:
        """Return how many terms a row has that has any."""
        lengths = np.diff(self._bounds)[rows]
        return float(lengths.sum() / max(1, np.count_nonzero(lengths)))


class Left(NamedTuple):
    """What an index holds without what filters exclude."""

    average: float
    """Terms of a passage."""
    absent: tuple[str, ...]
    """Facets of the documents that have no passage left."""


class EmbeddedEngine:
    """Implements `search.engines.protocol.Engine`; safe to share between threads."""

    def __init__(self, root: Path) -> None:
        self._root = root
        folder, self._manifest = _open_generation(root)
        # Absolute, since the process may go to another directory.
        self._place, self._folder = root.absolute(), folder.absolute()
        self._left = Remembered(self._leave_out, MOST_LEFT)
        self._opened: OpenedFiles | None
        try:
            self._opened = OpenedFiles(self._folder, self._manifest.encoder_dimension)
        except (OSError, ValueError, sqlite3.DatabaseError) as error:
            raise IndexCorruptError(
                f"the index {root} cannot be opened ({error}); {layout.mend(error)}"
            ) from error

    @property
    def store(self) -> Store:
        """The passages."""
        return self._files.store

    @property
    def _files(self) -> OpenedFiles:
        if self._opened is None:
            raise _closed(self._root)
        return self._opened

    @property
    def state(self) -> str:
        """The generation, with a checksum of all checksums."""
        return self._manifest.state(self._folder)

    def describe(self) -> IndexDescription:
        """Return what the index holds."""
        return self._manifest.description(
            url=str(self._root),
            size_bytes=self._manifest.size_bytes,
            generation=self._folder.name,
        )

    def run(self, request: RetrievalRequest) -> RetrievalResults:
        """Run the retrievers of a question."""
        if request.vector is not None:
            check_dimension(request.vector, self._manifest.encoder)
        with _damage_told(self._root):
            rows = self._allowed(request.filters) if request.filters else None
            dense = NO_CANDIDATES
            if request.vector is not None:
                nearest = self._files.vectors.search(request.vector, request.depth, rows)
                dense = self._candidates(*nearest)
            return RetrievalResults(
                lexical=self._candidates(*self._lexical_retriever(request, rows)),
                dense=dense,
                documents=self._document_retriever(request, rows) if request.documents else (),
            )

    def passages(self, keys: Sequence[Key]) -> list[Passage]:
        """Return the passages of candidates, in the order asked."""
        with _damage_told(self._root):
            return self.store.passages(keys)

    def find(self, filters: Filters, limit: int | None = None) -> list[tuple[Candidate, Passage]]:
        """Return passages that meet filters and lookups, in index order."""
        with _damage_told(self._root):
            rows = self._allowed(filters)[:limit]
            candidates = self._candidates(rows, np.ones(len(rows)))
            return list(zip(candidates, self.store.passages(rows.tolist()), strict=True))

    def values(self, field: str) -> tuple[str, ...]:
        """Return the different values that passages have in a filter field."""
        with _damage_told(self._root):
            return self.store.filter_values(field)

    def documents(self) -> list[DocumentSummary]:
        """Return the documents in the order they were first loaded."""
        return [
            DocumentSummary(
                one.document_id, one.title, one.passages, metadata_of(json.loads(one.metadata))
            )
            for one in self.store.documents()
        ]

    def history(self, document_id: str) -> str:
        """Return the versions of a document; an index of an older form holds none."""
        with _damage_told(self._root):
            current = self._manifest.schema_version >= FIRST_WITH_VERSIONS
            return self.store.history(document_id) if current else ""

    def verify(self) -> list[str]:
        """Compare every file with its checksum and let SQLite check itself.

        Raises:
            IndexUnavailableError: later loads have removed the files, of which searches still read
                what they had opened.
        """
        if not self._folder.exists() and layout.current_name(self._place):
            raise IndexUnavailableError(
                f"the opened state of {self._root} was replaced by later loads; open the index "
                "again, or refresh it",
                code="index.replaced",
            )
        return self._manifest.problems(self._folder, checksums=True) or self.store.check()

    def stored_vector(self, vector_hash: str) -> NDArray[np.float16] | None:
        """Return the vector that a passage with this hash has."""
        row = self.store.row_of_vector(vector_hash)
        return None if row is None else self._files.vectors.slots([row])[0]

    def close(self) -> None:
        """Free the maps and close the files.

        What another thread is reading just then is freed as soon as it has read that; the next
        that it asks for is refused.
        """
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.store.close()

    def _candidates(self, rows: Rows, scores: NDArray[Any]) -> Candidates:
        files = self._files
        documents, kinds = files.documents[files.row_documents[rows]], files.row_kinds[rows]
        if (kinds >= len(KINDS)).any():
            raise ValueError("a passage has an unknown kind")
        return Candidates.columns(rows, documents, scores, kinds)

    def _lexical_retriever(self, request: RetrievalRequest, rows: Rows | None) -> Scored:
        fields = request.filters.fields
        facets = [
            [facet(field, value) for value in values]
            for field, values in fields.items()
            if field not in LOOKUPS
        ]
        without = [
            facet(field, value)
            for field, values in request.filters.excluded.items()
            for value in values
        ]
        files, depth, sifted = self._files, request.depth, len(facets) < len(fields)
        weighed = bool(without and files.codes)
        if sifted:  # Lookups are not facets. They name few rows, so all hits are sifted.
            depth = max(1, self._manifest.passages)
        found, scores = files.lexical.search(request.words, depth, facets, without, weighed=weighed)
        if sifted and rows is not None:
            allowed = np.flatnonzero(np.isin(found, rows))[: request.depth]
            found, scores = found[allowed], scores[allowed]
        if not (weighed and files.codes):
            return found, scores
        average = self._left_without(request.filters).average
        texts = files.codes.of(found)
        return files.lexical.rescored(request.words, without, found, texts, average)

    def _document_retriever(
        self, request: RetrievalRequest, rows: Rows | None
    ) -> tuple[tuple[str, float], ...]:
        files, facets = self._files, []
        if rows is not None and request.filters.fields:
            allowed = np.unique(files.row_documents[rows])
            if len(allowed) < len(files.documents):
                facets = [[facet("document_id", files.documents[i]) for i in allowed]]
        absent = self._left_without(request.filters).absent if request.filters.excluded else ()
        found, scores = files.whole.search(
            request.words, request.depth, facets, absent, weighed=True
        )
        return tuple(zip(files.documents[found], scores.tolist(), strict=True))

    def _left_without(self, filters: Filters) -> Left:
        asked = tuple((field, tuple(values)) for field, values in filters.excluded.items())
        return self._left.of([asked])[asked]

    def _leave_out(self, asked: Sequence[Excluded]) -> dict[Excluded, Left]:
        files, found = self._files, {}
        for excluded in asked:
            rows = self._allowed(Filters({}, dict(excluded)))
            absent = np.setdiff1d(np.arange(len(files.documents)), files.row_documents[rows])
            facets = (facet("document_id", files.documents[one]) for one in absent)
            average = files.codes.average(rows) if files.codes else 0.0
            found[excluded] = Left(average, tuple(facets))
        return found

    def _allowed(self, filters: Filters) -> Rows:
        """Return the sorted rows that meet every condition."""
        conditions = [self._rows_of(field, values) for field, values in filters.fields.items()]
        every = np.arange(self._manifest.passages, dtype=np.uint32)
        rows: Rows = reduce(
            lambda a, b: np.intersect1d(a, b, assume_unique=True), conditions or [every]
        )
        for field, values in filters.excluded.items():
            rows = rows[~np.isin(rows, self._rows_of(field, values), assume_unique=True)]
        return rows

    def _rows_of(self, field: str, values: Sequence[str]) -> Rows:
        if field in LOOKUPS:
            return np.array(self.store.rows(field, values), dtype=np.uint32)
        if field not in self._manifest.filter_fields:
            raise unknown_filter_field(field, self._manifest.filter_fields)
        parts = [
            self._files.filters[start : start + count]
            for start, count in self.store.filter_ranges(field, values)
        ]
        return np.unique(np.concatenate(parts)) if parts else np.empty(0, np.uint32)


def _open_generation(root: Path) -> tuple[Path, Manifest]:
    """Find and check the current generation; a load that replaces it meanwhile is followed."""
    while True:
        folder = layout.current_generation(root)
        try:
            manifest = Manifest.read(folder)
            small = manifest.size_bytes <= CHECK_ON_OPEN_BYTES
            problems = manifest.problems(folder, checksums=small)
        except IndexCorruptError:
            if layout.current_generation(root) == folder:
                raise
            continue
        if not problems:
            return folder, manifest
        if layout.current_generation(root) == folder:
            raise IndexCorruptError(problems[0])


@contextmanager
def _damage_told(root: Path) -> Iterator[None]:
    """Turn what a damaged file of a large, unchecked index causes into one sentence."""
    try:
        yield
    except sqlite3.ProgrammingError as error:
        raise _closed(root) from error
    except (IndexError, KeyError, ValueError, sqlite3.DatabaseError) as error:
        raise _damaged(root, error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # tantivy's; no other way to name it
            raise
        raise _damaged(root, error) from error


def _closed(root: Path) -> IndexUnavailableError:
    return IndexUnavailableError(
        f"the index {root} was closed while it was being read; open it again", code="index.closed"
    )


def _damaged(root: Path, error: BaseException) -> IndexCorruptError:
    return IndexCorruptError(f"the index {root} is damaged ({error}); {layout.MEND}")
