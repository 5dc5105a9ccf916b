"""What filters may ask for: fields of a passage and their values, as text."""

from __future__ import annotations

from collections.abc import Iterator

from search.records import MetadataValue, Passage, filter_text


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
