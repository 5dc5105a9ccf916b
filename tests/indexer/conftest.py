"""An index in memory and a small encoder, to watch what the indexer gives to an engine."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sample import ingest_rulebook

import indexer
from indexer import IngestReport
from indexer.ingesting import ingest_into
from indexer.load.sources import find_sources
from indexer.load.titles import Titles
from indexer.review.structure import Structure, structure
from search.engines.protocol import IndexDescription, Progress
from search.engines.staging import Staging
from search.engines.stored_rows import Record, record_of
from search.models.encoders import DEFAULT_ENCODER, load_encoder
from search.models.encoders.protocol import EncodedPassages, Encoder
from search.records import DocumentSummary, EncoderIdentity, Filters, Passage
from tests.lamp_act import Load

DIMENSION = 8
LONGEST = 400
"""Words that the encoder reads of a passage."""


class WordEncoder:
    """Adds one random direction a word; remembers what it was given."""

    name, dimension, revision = "words", DIMENSION, "1"

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fails_after: int | None = None

    def encode_questions(self, texts: Sequence[str]) -> np.ndarray:
        return self.encode_passages(texts).vectors

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        if self.fails_after is not None and len(self.texts) >= self.fails_after:
            raise KeyboardInterrupt
        self.texts += texts
        rows = np.stack([self._row(text) for text in texts])
        cut = tuple(len(text.split()) > LONGEST for text in texts)
        return EncodedPassages(rows / np.linalg.norm(rows, axis=1, keepdims=True), cut)

    @staticmethod
    def _row(text: str) -> np.ndarray:
        zero = np.zeros(DIMENSION, dtype=np.float32)
        return sum((direction(word) for word in text.split()[:LONGEST]), zero)


@cache
def direction(word: str) -> np.ndarray:
    """One direction a word, which looks random."""
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
    return np.random.default_rng(seed).standard_normal(DIMENSION, dtype=np.float32)


class MemoryIndex:
    """An index that keeps the promises of `Load`: all or nothing, vectors survive."""

    def __init__(self) -> None:
        self.loaded: dict[str, tuple[str, list[Record]]] = {}
        """DocumentID → hash and records."""
        self.vectors: dict[str, np.ndarray] = {}
        self.commits = 0

    # Backend
    def load(self, url: str, encoder: EncoderIdentity, *, rebuild: bool = False) -> MemoryLoad:
        return MemoryLoad(self, {} if rebuild else dict(self.loaded))

    def open(self, url: str) -> MemoryIndex:
        return self

    def exists(self, url: str) -> bool:
        return bool(self.loaded)

    # Engine, as far as the indexer uses it
    def describe(self) -> IndexDescription:
        records = self.records()
        empty = sum(not record.passage.text for record in records)
        encoder = EncoderIdentity("words", DIMENSION, "1")
        return IndexDescription(
            "memory", encoder, len(records), len(self.loaded), empty, 0, str(self.commits)
        )

    def documents(self) -> list[DocumentSummary]:
        return [
            DocumentSummary(name, records[0].passage.document_title, len(records))
            for name, (_, records) in self.loaded.items()
        ]

    def find(self, filters: Filters, limit: int | None = None) -> list[tuple[None, Passage]]:
        (document_id,) = filters.fields["document_id"]
        return [(None, record.passage) for record in self.loaded[document_id][1]][:limit]

    def history(self, document_id: str) -> str:
        return ""

    def close(self) -> None:
        pass

    def records(self) -> list[Record]:
        return [record for _, records in self.loaded.values() for record in records]

    def passages(self) -> list[Passage]:
        return [record.passage for record in self.records()]


class MemoryLoad:
    def __init__(self, index: MemoryIndex, documents: dict[str, tuple[str, list[Record]]]) -> None:
        self._index = index
        self._documents = documents

    def __enter__(self) -> MemoryLoad:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def document_hashes(self) -> dict[str, str]:
        return {name: found[0] for name, found in self._documents.items()}

    def known_vectors(self, hashes: Iterable[str]) -> set[str]:
        return set(hashes) & set(self._index.vectors)

    def add_vectors(self, hashes: Sequence[str], vectors: np.ndarray) -> None:
        assert vectors.shape == (len(hashes), DIMENSION)
        self._index.vectors.update(zip(hashes, vectors, strict=True))

    def delete_document(self, document_id: str) -> None:
        del self._documents[document_id]

    def commit(self, staging: Staging, progress: Progress | None = None) -> IndexDescription:
        for document_id, content_hash in staging.hashes().items():
            records = [record_of(row) for row in staging.rows(document_id)]
            self._documents[document_id] = (content_hash, records)
        for _, records in self._documents.values():
            needed = {record.vector_hash for record in records} - {""}
            assert needed <= set(self._index.vectors)
        self._index.loaded = self._documents
        self._index.commits += 1
        if progress:
            progress("load", len(self._index.records()), len(self._index.records()))
        return self._index.describe()


@pytest.fixture(scope="session")
def shipped() -> Encoder:
    """The encoder that ships."""
    return load_encoder(DEFAULT_ENCODER)


@pytest.fixture(scope="session")
def rulebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that tests only read; see `url`."""
    return ingest_rulebook(tmp_path_factory.mktemp("rulebook") / "index")


@pytest.fixture
def url(rulebook: Path, tmp_path: Path) -> str:
    """An index of the test's own."""
    return str(shutil.copytree(rulebook, tmp_path / "index"))


@pytest.fixture
def encoder() -> WordEncoder:
    return WordEncoder()


@pytest.fixture
def index() -> MemoryIndex:
    return MemoryIndex()


Ingest = Callable[..., IngestReport]


@pytest.fixture
def ingest(index: MemoryIndex, encoder: WordEncoder) -> Ingest:
    """Ingest into the index in memory."""

    def run(*sources: Path, titles: Path | None = None, **options: object):
        found = find_sources(sources)
        return ingest_into(index, "memory", found, Titles(titles), encoder, **options)

    return run


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Structure]:
    """Read a text as a file; a test of another format has its own."""

    def run(text: str, name: str = "law.md") -> Structure:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return structure(path)

    return run


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return where an index of versions is."""
    return tmp_path / "index"


@pytest.fixture
def load(tmp_path: Path, place: Path) -> Load:
    """Return what loads a text as the version of a day."""

    def load(text: str, day: str = "", index: Path = place, **given: Any) -> indexer.IngestReport:
        path = tmp_path / "act.md"
        path.write_text(text)
        return indexer.ingest(path, index, valid_from=day, **given)

    return load
