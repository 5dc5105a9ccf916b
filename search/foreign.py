"""Which passages of a document are not English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from search.records import Passage
from search.text.languages import english

PASSAGES_READ = 200
"""Passages at the beginning of a document that tell its language."""

LEAST_FOREIGN = 0.15
"""Share of the passages of a document in two languages that are not English, at least. Lists and
formulas look like another language: in an English act up to 11 in 100 passages do."""


def foreign(passages: Iterable[Passage], texts: Sequence[str]) -> list[bool]:
    """Return which texts, what is searched of the passages of one document, are not English."""
    judged = [
        known for one in islice(passages, PASSAGES_READ) if (known := english(one.text)) is not None
    ]
    share = judged.count(False) / len(judged) if judged else 0.0
    if share < LEAST_FOREIGN:
        return [False] * len(texts)
    return [share >= 0.5 if (known := english(text)) is None else not known for text in texts]
