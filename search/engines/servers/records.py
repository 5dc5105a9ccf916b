"""A passage as a server keeps it, and back: pure functions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import starmap
from typing import Any

from search.engines import stored_rows
from search.engines.stored_rows import Record, facets_of, filter_values
from search.records import KINDS, MetadataValue, Passage

ROWS_A_DOCUMENT = 1 << 24
"""Places reserved for each document; a passage's row is its document's position times this, plus
its place in the document, so that rows are in the order of the index and never move."""
MAX_TERM = 1000
"""Characters of the longest exact term that is kept as it is; longer ones are hashed. The servers
take 32,766 bytes, an ID in a URL far fewer."""
SEARCHED = "searched"
"""Field with the index terms of a passage, which the server parts at blanks and keeps as they
are."""
SHOWN_KEYWORDS = {"language", "jurisdiction", "regime", "topic", "version", "status"}
"""Metadata with a keyword field of its own, for people who look at the index with other tools."""
SHOWN_DATES = {"effective_from", "effective_to"}


def passage_key(passage_id: str) -> str:
    """Return the server's `_id` of a passage: the SHA-256 of its ID, which may be any text."""
    return hashlib.sha256(passage_id.encode("utf-8", "surrogatepass")).hexdigest()


def facet(field: str, value: str) -> str:
    """Return the exact term that stands for `field` having `value`, and for nothing else."""
    name = field.replace("\\", "\\\\").replace("=", "\\=")
    term = f"{name}={value}"
    return term if len(term) <= MAX_TERM else f"{name[:200]}#{passage_key(term)}"


def facets(passage: Passage) -> list[str]:
    """Return every exact term that a filter on this passage may ask for."""
    return sorted(set(starmap(facet, facets_of(passage))))


def passage_source(
    record: Record, row: int, ancestors: Iterable[str], vector: Any
) -> dict[str, Any]:
    """Return the document of a passage.

    Args:
        record: the passage with its words and number.
        row: its place in the index.
        ancestors: IDs of the passages that enclose it, outermost first.
        vector: its vector as the product takes it; None for an empty passage.
    """
    passage = record.passage
    source: dict[str, Any] = {
        "row": row,
        "document": row // ROWS_A_DOCUMENT,
        "kind_code": KINDS.index(passage.kind),
        "id": passage.id,
        "document_id": passage.document_id,
        "passage_id": passage.passage_id,
        "document_title": passage.document_title,
        "kind": passage.kind,
        "order": passage.order,
        "depth": passage.depth,
        "parent": passage.parent,
        "ancestors": list(ancestors),
        "breadcrumb": list(passage.breadcrumb),
        "source": passage.source,
        "text": passage.text,
        SEARCHED: " ".join(record.tokens) or None,
        "words": len(record.tokens),
        "empty": not record.vector_hash,
        "facets": facets(passage),
        "numbers": list(record.numbers),
        "key_of_parent": passage_key(passage.parent) if passage.parent is not None else None,
        "vector_hash": record.vector_hash or None,
        "metadata": listed(passage.metadata),
        **_shown(passage.metadata),
    }
    if vector is not None:
        source["vector"] = vector
    return {name: value for name, value in source.items() if value is not None}


def passage_of(source: Mapping[str, Any]) -> Passage:
    """Return the passage that `passage_source` wrote, equal to what went in."""
    return Passage(
        id=source["id"],
        document_id=source["document_id"],
        passage_id=source["passage_id"],
        text=source.get("original", source["text"]),
        document_title=source["document_title"],
        kind=source["kind"],
        order=source["order"],
        depth=source["depth"],
        parent=source.get("parent"),
        breadcrumb=tuple(source["breadcrumb"]),
        metadata=metadata_of(source["metadata"]),
        source=source["source"],
    )


def metadata_of(pairs: Iterable[Mapping[str, Any]]) -> dict[str, MetadataValue]:
    """Return metadata from the list that is stored."""
    return stored_rows.metadata_of({pair["name"]: pair["value"] for pair in pairs})


def listed(metadata: Mapping[str, MetadataValue]) -> list[dict[str, Any]]:
    """Return metadata as pairs: a name may hold dots, which would be a path in an object."""
    return [
        {"name": name, "value": list(value) if isinstance(value, tuple) else value}
        for name, value in metadata.items()
    ]


def _shown(metadata: Mapping[str, MetadataValue]) -> dict[str, list[str]]:
    return {
        name: list(filter_values(metadata[name]))
        for name in SHOWN_KEYWORDS | SHOWN_DATES
        if name in metadata
    }
