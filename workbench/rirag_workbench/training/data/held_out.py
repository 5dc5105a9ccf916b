"""Which questions are held out, by their IDs and by their words.

A hash of the ID says which questions validate and which fold of a cross-validation each is in. A
record of a training knows questions by hashes of their words.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable

from search.answered_questions.questions import folded
from search.text.analyzer import tokens
from search.text.characters import plain_words

FOLDS = 5
"""Parts of the cross-validation."""


def is_validation(question_id: str) -> bool:
    """Return whether a question belongs to the validation fifth: SHA-256 divisible by 5."""
    return hash_number(question_id) % 5 == 0


def fold_of(question_id: str) -> int:
    """Return the part of the cross-validation a question is in; its keyword versions are too.

    The parts are independent of `is_validation`, so that they divide the validation fifth as well.
    """
    return hash_number(f"fold {question_id}") % FOLDS


def fold_by_words(question: str) -> int:
    """Return the part of the cross-validation that all questions with the same words are in."""
    return hash_number(folded(question)) % FOLDS


def hash_number(text: str) -> int:
    """Return a large number that is always the same for a text: its SHA-256."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


HASH_DIGITS = 12
"""Enough to keep some 10,000 questions apart from as many others."""


def question_hash(question: str) -> str:
    """Return a hash that questions share which differ only in case, space or punctuation."""
    return hashlib.sha256(folded(question).encode()).hexdigest()[:HASH_DIGITS]


NEARLY_EQUAL = 0.9
"""Two questions are taken for one when this share of their distinct analysed words is common
(Jaccard index). Rephrasings with one word of ten exchanged are caught, questions about the same
passage are not: those are what validation wants to know about."""


class HeldOut:
    """Recognises questions of a validation set, whatever file they come from."""

    def __init__(self, questions: Iterable[tuple[str, str]], limit: float = NEARLY_EQUAL) -> None:
        """Take in the (ID, text) of each validation question."""
        self._limit = limit
        self._ids: set[str] = set()
        self._folded: set[str] = set()
        self._words: list[frozenset[str]] = []
        self._with_word: dict[str, list[int]] = defaultdict(list)
        for question_id, text in questions:
            self.add(question_id, text)

    def add(self, question_id: str, text: str) -> None:
        """Take in a further question."""
        words = _words(text)
        self._ids.add(question_id)
        self._folded.add(folded(text))
        for word in words:
            self._with_word[word].append(len(self._words))
        self._words.append(words)

    def reason(self, question_id: str, text: str, made_from: str = "") -> str | None:
        """Return why a question must not be trained on: `id`, `words`, or None if it may.

        Args:
            made_from: text of the one that it was made from; empty: of none, as far as is known.
        """
        if question_id and question_id in self._ids:
            return "id"
        asked = (text, made_from) if made_from else (text,)
        return "words" if any(map(self._is_held_out, asked)) else None

    def _is_held_out(self, text: str) -> bool:
        """Return whether a text has the words of a held-out question, or nearly all of them.

        Stop words count where all are the same: a question may have no others.
        """
        if folded(text) in self._folded:
            return True
        words = _words(text)
        common: dict[int, int] = defaultdict(int)
        for word in words:
            for number in self._with_word.get(word, ()):
                common[number] += 1
        return any(
            shared >= self._limit * (len(words) + len(self._words[number]) - shared)
            for number, shared in common.items()
        )


def _words(text: str) -> frozenset[str]:
    return frozenset(tokens(plain_words(text)))
