"""In which ways documents were read, and what the numbers of their sources say of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from generation.text.sanitize import one_line
from search.json_form import to_json

if TYPE_CHECKING:
    from indexer.review.structure import Structure

ONLY = "one way to read this format"


def as_records(structure: Structure) -> list[dict[str, Any]]:
    """Return a record of each document: its trust, and its readings with the chosen one first."""
    return [
        {
            "document_id": one.document_id,
            "trust": round(one.trust.score, 2),
            "counted": one.choice.counted if one.choice else None,
            "readings": [
                {**to_json(tried), "score": round(tried.score, 2)} for tried in one.choice.tried
            ]
            if one.choice
            else [],
        }
        for one in structure.documents
    ]


def why_lines(structure: Structure) -> Iterator[str]:
    """Yield a table of each document, the chosen reading first."""
    for one in structure.documents:
        trust = f"trust {one.trust.score:.2f}"
        if one.choice is None:
            yield f"{one_line(one.document_id)}: {trust}, {ONLY}"
            continue
        counted = f"{one.choice.counted:,} numbers count on in the source"
        yield f"{one_line(one.document_id)}: {trust}, {counted}"
        yield f"  {'reading':10} {'score':>5} {'passages':>8}  numbers that opened one"
        for at, tried in enumerate(one.choice.tried):
            chosen = "chosen" if at == 0 else ""
            yield (
                f"  {tried.name:10} {tried.score:5.2f} {tried.passages:8,}  "
                f"{tried.opened:,} of {one.choice.counted:,}  {chosen}"
            ).rstrip()
