"""A passage as it goes into an engine, and the same as text, to be kept in SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from search.law_in_time import is_searched
from search.records import MetadataValue, Passage, filter_text


@dataclass(frozen=True, slots=True)
class Record:
    """A passage as it goes into an engine."""

    passage: Passage
    tokens: tuple[str, ...]
    """Index terms, as `search.engines.terms` makes them; empty passages are in no retriever."""
    numbers: tuple[str, ...]
    """Lookup keys: of the passage's number, and of what it cites (`provisions.links.keys`)."""
    vector_hash: str
    """SHA-256 of the text that was encoded; equal hashes share a vector. Empty: no vector."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A passage as it is stored, without its place."""

    id: str
    parent: str | None
    body: str
    numbers: str
    vector_hash: str
    tokens: str


def stored_row(record: Record) -> StoredRow:
    """Serialise a record."""
    return StoredRow(
        id=record.passage.id,
        parent=record.passage.parent,
        body=body_of(record.passage),
        numbers=json.dumps(record.numbers),
        vector_hash=record.vector_hash,
        tokens=" ".join(record.tokens),
    )


def record_of(row: StoredRow) -> Record:
    """Read a serialised record back."""
    numbers = tuple(json.loads(row.numbers))
    passage, words = passage_of(row.body), tuple(row.tokens.split())
    return Record(passage, words, numbers, row.vector_hash)


def body_of(passage: Passage) -> str:
    """Serialise a passage."""
    body = {name: getattr(passage, name) for name in Passage.__slots__}
    body["metadata"] = dict(passage.metadata)
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def passage_of(body: str) -> Passage:
    """Read a serialised passage back."""
    fields: dict[str, Any] = json.loads(body)
    fields["breadcrumb"] = tuple(fields["breadcrumb"])
    fields["metadata"] = metadata_of(fields["metadata"])
    return Passage(**fields)


def metadata_of(raw: dict[str, Any]) -> dict[str, MetadataValue]:
    """Return metadata as it was before it became JSON."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()}


def facets_of(passage: Passage) -> Iterator[tuple[str, str]]:
    """Yield (field, value) for all that a passage can be filtered by; several values are several.

    `document_id` and `kind` are those of the passage, whatever its metadata says.
    """
    own: dict[str, MetadataValue] = {"document_id": passage.document_id, "kind": passage.kind}
    for field, value in {**passage.metadata, **own}.items():
        for text in filter_values(value):
            yield field, text


def filter_values(value: MetadataValue) -> tuple[str, ...]:
    """Return a metadata value as the texts that filters compare."""
    return value if isinstance(value, tuple) else (filter_text(value),)


class DocumentWords:
    """Takes the passages of one document; gives the terms of those that are in force today, or of
    all where none is.
    """

    def __init__(self) -> None:
        self._in_force: list[str] = []
        self._others: list[str] = []

    def add(self, passage: Passage, tokens: str) -> None:
        """Take the next passage with its index terms, parted by blanks."""
        (self._in_force if is_searched(passage) else self._others).append(tokens)

    def text(self) -> str:
        """Return the terms, parted by blanks."""
        return " ".join(filter(None, self._in_force or self._others))


class CommonMetadata:
    """Takes the passages of one document, in order."""

    def __init__(self) -> None:
        self.title = ""
        """The first that a passage gives."""
        self.passages = 0
        self._common: set[tuple[str, MetadataValue]] = set()

    def add(self, passage: Passage) -> None:
        """Take the next passage."""
        items = set(passage.metadata.items())
        self._common = self._common & items if self.passages else items
        self.title = self.title or passage.document_title
        self.passages += 1

    def metadata(self) -> dict[str, MetadataValue]:
        """Return what every passage has, by name."""
        return dict(sorted(self._common))
