"""BM25 over the articles of an act: by their best window, as a whole, and by their headings."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search.articles.act import Act
from search.text import bm25
from search.text.analyzer import tokens

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
        self._folder = tempfile.mkdtemp(prefix="rirag-articles-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._windows = self._index("windows", [text for _, text in windows])
        self._whole = self._index("whole", [f"{one.heading}\n{one.text}" for one in articles])
        headings = [" ".join((one.heading, *one.divisions[-2:])) for one in articles]
        self._headings = self._index("headings", headings)

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

    def _index(self, name: str, texts: Sequence[str]) -> bm25.BM25Index:
        folder = Path(self._folder) / name
        bm25.build(folder, ((row, " ".join(tokens(text)), ()) for row, text in enumerate(texts)))
        return bm25.BM25Index(folder)

    @staticmethod
    def _scores(index: bm25.BM25Index, question: Sequence[str], rows: int) -> Scores:
        found = np.zeros(rows)
        if rows:
            places, scores = index.search(question, rows)
            found[places] = scores
        return found


def question_terms(text: str) -> list[str]:
    """Return the index terms of a question, each at most `MOST_OF_A_WORD` times."""
    counts = Counter(tokens(text))
    return [word for word, count in counts.items() for _ in range(min(count, MOST_OF_A_WORD))]
