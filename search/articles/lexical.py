"""BM25 over the articles of an act: by their best window, as a whole, and by their headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from search.articles.act import Act
from search.text.analyzer import tokens
from search.text.bm25 import BM25Index

Scores = NDArray[np.float64]
"""One score an article, in the act's order; 0 where nothing is shared."""

MOST_OF_A_WORD = 3
"""How often a word of a question counts at most: backgrounds of 500 words repeat the institution's
name, not what is asked."""


class ArticleTexts:
    """The texts of an act, ready to be searched; safe to use from several threads."""

    def __init__(self, act: Act) -> None:
        articles = list(act.articles.values())
        windows = [(place, text) for place, one in enumerate(articles) for text in one.windows()]
        self._owner = np.array([place for place, _ in windows], dtype=np.int64)
        self._size = len(articles)
        self._windows = BM25Index.of(enumerate(tokens(text) for _, text in windows))
        texts = (f"{one.heading}\n{one.text}" for one in articles)
        self._whole = BM25Index.of(enumerate(map(tokens, texts)))
        headings = (" ".join((one.heading, *one.divisions[-2:])) for one in articles)
        self._headings = BM25Index.of(enumerate(map(tokens, headings)))

    def windows(self, question: Sequence[str]) -> Scores:
        """Return the score of each article's best window.

        Args:
            question: its index terms, as `question_terms` makes them.
        """
        best = np.zeros(self._size)
        np.maximum.at(best, self._owner, self._scores(self._windows, question, len(self._owner)))
        return best

    def whole(self, question: Sequence[str]) -> Scores:
        """Return the scores of the whole articles."""
        return self._scores(self._whole, question, self._size)

    def headings(self, question: Sequence[str]) -> Scores:
        """Return the scores of the headings: of the article and the two divisions around it."""
        return self._scores(self._headings, question, self._size)

    @staticmethod
    def _scores(index: BM25Index, question: Sequence[str], rows: int) -> Scores:
        found = np.zeros(rows)
        if rows:
            places, scores = index.search(question, rows)
            found[places] = scores
        return found


def question_terms(text: str) -> list[str]:
    """Return the index terms of a question, each at most `MOST_OF_A_WORD` times."""
    counts = Counter(tokens(text))
    return [word for word, count in counts.items() for _ in range(min(count, MOST_OF_A_WORD))]
