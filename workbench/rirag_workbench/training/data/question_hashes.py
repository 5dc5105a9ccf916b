"""Hashes of questions: what a record of a training knows them by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from search.answered_questions.questions import folded
from search.text.analyzer import words
from search.text.characters import plain_characters

HASH_DIGITS = 12
"""Enough to keep some 10,000 questions apart from as many others."""


def question_hash(question: str) -> str:
    """Return a hash that questions share which differ only in case, space or punctuation."""
    return _hash(folded(question).split())


def all_hashes(question: str) -> frozenset[str]:
    """Return `question_hash`, and the hashes that records had before it.

    At first an apostrophe was not punctuation. Then what joins letters or digits in the analysis of
    search was none, such as the points of `Rule 3.2.1`.
    """
    joined = words(plain_characters(question).replace("'", " "))
    return frozenset((question_hash(question), _hash(joined), _hash(words(question))))


def _hash(asked: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(asked).encode()).hexdigest()[:HASH_DIGITS]
