"""The passages of a training run, each text once, with a whole number for a key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from rirag_workbench.training.data.pairs import PassageReference
from search.records import Passage


class PassageTable:
    """Texts by key: first those of the index, then those that only pair files hold.

    Texts that differ in nothing but white space share a key, so that a passage that repeats a
    positive word for word can never be taken for a negative.
    """

    def __init__(self, passages: Iterable[Passage] = ()) -> None:
        """Take in the passages of an index; empty ones are left out, as search leaves them out."""
        self.texts: list[str] = []
        self.index_rows: list[tuple[str, int]] = []
        """(`ID`, key) of each passage of the index, in its order."""
        self._keys: dict[str, int] = {}
        self._ids: dict[str, int] = {}
        for passage in passages:
            if passage.text.strip():
                key = self._key(passage.text)
                self._ids[passage.id] = key
                self.index_rows.append((passage.id, key))
        self.indexed = len(self.texts)
        """Keys below this are passages of the index."""

    def resolve(self, reference: PassageReference) -> int | None:
        """Return the key of a passage; None for an `ID` that the index does not hold."""
        if reference.id is not None and reference.id in self._ids:
            return self._ids[reference.id]
        return None if reference.text is None else self._key(reference.text)

    def indexed_as(self) -> dict[str, Any]:
        """Return how many passages the index has, and a hash of their `ID`s and texts in order."""
        found = json.dumps([self.index_rows, self.texts[: self.indexed]])
        return {
            "number": len(self.index_rows),
            "sha256": hashlib.sha256(found.encode()).hexdigest(),
        }

    def _key(self, text: str) -> int:
        plain = " ".join(text.split())
        key = self._keys.setdefault(plain, len(self.texts))
        if key == len(self.texts):
            self.texts.append(plain)
        return key
