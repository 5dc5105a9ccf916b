"""What tests of laws ask of what was read of a text."""

from __future__ import annotations

from indexer.review.structure import Structure


def numbers(found: Structure) -> list[str]:
    return [passage.passage_id for passage in found.passages()]


def texts(found: Structure) -> dict[str, str]:
    return {passage.passage_id: passage.text for passage in found.passages()}
