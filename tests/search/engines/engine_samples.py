"""Small documents, and an encoder whose vectors a test can compute again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from search.engines.protocol import (
    Backend,
    Engine,
    IndexDescription,
    Load,
    Progress,
    RetrievalRequest,
)
from search.engines.staging import Staging
from search.engines.stored_rows import Record
from search.models.encoders.protocol import EncodedPassages
from search.provisions.numbering import lookup_keys
from search.records import EncoderIdentity, Filters, Passage
from search.text.analyzer import tokens
from search.text.word_parts import word_parts

DIMENSION = 16
ENCODER = EncoderIdentity("hashed-words", DIMENSION, "1")


def vector(text: str) -> np.ndarray:
    """The sum of one pseudo-random direction a word, at length 1."""
    row = np.zeros(DIMENSION, np.float32)
    for word in text.split():
        digest = hashlib.sha256(word.encode(errors="surrogatepass")).digest()
        row += np.frombuffer(digest, np.uint16).astype(np.float32) - 32767.5
    return row / np.linalg.norm(row)


class HashedWords:
    """The encoder of these vectors."""

    name, dimension, revision = ENCODER.name, ENCODER.dimension, ENCODER.revision

    def encode_questions(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([vector(text) for text in texts])

    def encode_passages(self, texts: Sequence[str]) -> EncodedPassages:
        return EncodedPassages(self.encode_questions(texts), (False,) * len(texts))


def passage(document_id: str, number: str, text: str, **more: Any) -> Passage:
    """A passage whose ID is `document/number` unless another is given."""
    fields = {"id": f"{document_id}/{number}", "document_title": f"Title of {document_id}", **more}
    return Passage(document_id=document_id, passage_id=number, text=text, **fields)


def texts(document_id: str, *passages: str) -> list[Passage]:
    """A document of these texts, numbered 1, 2, …"""
    return [
        passage(document_id, str(number), text, order=number - 1)
        for number, text in enumerate(passages, start=1)
    ]


def text_hash(text: str) -> str:
    """The vector hash of a text; an empty one has none."""
    return hashlib.sha256(text.encode()).hexdigest() if text.strip() else ""


def record(passage: Passage) -> Record:
    """A passage as the indexer would hand it over."""
    return in_context(passage, "")


def in_context(passage: Passage, context: str) -> Record:
    """The same where something is searched before its text, and parts of a text in capitals."""
    words = tuple(tokens(f"{context}\n{passage.text}"))
    words += tuple(word_parts(passage.text) if passage.text.isupper() else ())
    numbers = lookup_keys(passage.passage_id)
    return Record(passage, words, numbers, text_hash(passage.text))


def put(
    load: Loading,
    passages: Sequence[Passage],
    content_hash: str = "",
    context: str = "",
    history: str = "",
) -> None:
    """Give one document to a load, and those of its vectors that are not known."""
    records = [in_context(passage, context) for passage in passages]
    wanted = {one.vector_hash: one.passage.text for one in records if one.vector_hash}
    new = sorted(set(wanted) - load.known_vectors(wanted))
    if new:
        load.add_vectors(new, np.stack([vector(wanted[name]) for name in new]))
    joined = "".join(passage.content_hash() for passage in passages)
    digest = content_hash or hashlib.sha256(joined.encode()).hexdigest()
    load.staging.put(passages[0].document_id, digest, records, history)


class Loading:
    """A load, and the documents that it will commit."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        self.staging = self._opened.enter_context(Staging.opened())
        self._opened.enter_context(self.load)
        return self

    def __exit__(self, *exception: Any) -> None:
        self._opened.__exit__(*exception)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.load, name)

    def commit(self, progress: Progress | None = None) -> IndexDescription:
        return self.load.commit(self.staging, progress)


def question(text: str, depth: int = 100, **filters: str | tuple[str, ...]) -> RetrievalRequest:
    """A request for all three retrievers."""
    fields = {
        name: (value,) if isinstance(value, str) else value for name, value in filters.items()
    }
    return RetrievalRequest(
        tokens=tuple(tokens(text)),
        vector=vector(text) if text.split() else None,
        depth=depth,
        filters=Filters(fields),
        documents=True,
    )


@dataclass(frozen=True)
class IndexUnderTest:
    """An index of some engine, with the few steps that most tests need."""

    backend: Backend
    url: str

    def write(self, *documents: Sequence[Passage], delete: Sequence[str] = ()) -> IndexDescription:
        """Load documents and commit."""
        with self.begin() as load:
            for document_id in delete:
                load.delete_document(document_id)
            for document in documents:
                put(load, document)
            return load.commit()

    def begin(self, encoder: EncoderIdentity = ENCODER, *, rebuild: bool = False) -> Loading:
        return Loading(self.backend.load(self.url, encoder, rebuild=rebuild))

    @contextmanager
    def opened(self) -> Iterator[Engine]:
        engine = self.backend.open(self.url)
        try:
            yield engine
        finally:
            engine.close()

    def content(self) -> list[Passage]:
        """All passages, in index order."""
        with self.opened() as engine:
            return [found for _, found in engine.find(Filters())]


def ids(engine: Engine, candidates: Sequence[Any]) -> list[str]:
    """The IDs behind the candidates of a retriever."""
    return [found.id for found in engine.passages([one.key for one in candidates])]
