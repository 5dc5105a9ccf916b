"""Keeping validation questions out of training: by ID, and by their words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from search.answered_questions.questions import folded
from search.text.analyzer import tokens
from search.text.characters import plain_words

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
            question_id: of the question, or of the one that it was made from.
            text: of the question.
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
