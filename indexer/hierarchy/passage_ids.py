"""The `ID`s of passages that come without one."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from search.records import Passage

NAMESPACE = uuid.UUID("6f1d7a52-3c0e-5b4f-9a57-2f0d6a1c9e44")
"""Namespace of the `ID`s made here, so that the same text always gets the same ones."""


def make_id(document_id: str, number: str, occurrence: int) -> str:
    """Return the `ID` of a passage: the same for the same document, number and occurrence."""
    return str(uuid.uuid5(NAMESPACE, f"{document_id}\x1f{number}\x1f{occurrence}"))


def renamed(passages: Iterable[Passage], document_id: str) -> Iterator[Passage]:
    """Yield the passages of a document under another DocumentID, with the IDs that follow."""
    seen, ids = Counter[str](), dict[str | None, str]()
    for passage in passages:
        seen[passage.passage_id] += 1
        ids[passage.id] = made = make_id(document_id, passage.passage_id, seen[passage.passage_id])
        yield replace(passage, id=made, document_id=document_id, parent=ids.get(passage.parent))
