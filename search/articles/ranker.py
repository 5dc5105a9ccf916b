"""The article ranker: small trees over references, BM25 and what answered questions teach."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from search.articles.act import Act
from search.articles.features import NAMES, AskedQuestion, FeatureTables, named_articles
from search.articles.known import Known
from search.articles.lexical import ArticleTexts, Scores, question_terms
from search.ranking.learned.decision_trees import DecisionTrees
from search.ranking.learned.file import load_fitted, write_fitted

FINDERS_KEPT = 4
"""Acts whose texts stay ready to be searched."""

FORM = "rirag article ranker 1"
"""Form of the file; its number is raised when the features change their meaning."""

SHIPPED = Path(__file__).parent / "crr.ranker.json"
"""The ranker for Regulation (EU) No 575/2013; docs/articles.md tells how it was fitted."""


@dataclass(frozen=True, slots=True)
class ArticleRanker:
    """Trees, and what the questions they were fitted on taught."""

    act: str
    """Number of the act that it was fitted for; elsewhere it stands aside."""
    left_out: tuple[str, ...]
    """Articles that it never proposes."""
    trees: DecisionTrees
    bias: float
    known: Known
    record: Mapping[str, Any] = field(default_factory=dict)

    def scores(self, tables: FeatureTables, asked: AskedQuestion) -> Scores:
        """Return the log-odds that each article of an act is one that the question is about."""
        found = self.bias + self.trees.output(tables.table(asked, self.known))
        for number in self.left_out:
            if number in tables.act.places:
                found[tables.act.places[number]] = -np.inf
        return np.asarray(found)

    def save(self, path: Path) -> None:
        """Write the ranker's file."""
        content = {
            "act": self.act,
            "left_out": list(self.left_out),
            "features": list(NAMES),
            "bias": self.bias,
            **self.trees.to_json(),
            "known": self.known.to_json(),
            "record": dict(self.record),
        }
        write_fitted(path, FORM, content)


def load_ranker(path: Path = SHIPPED) -> ArticleRanker:
    """Read a ranker's file; the same file is read once.

    Raises:
        ModelError: it cannot be read, was altered, or was fitted on other features.
    """
    return load_fitted(path, FORM, _built, NAMES)


def _built(content: dict[str, Any]) -> ArticleRanker:
    return ArticleRanker(
        act=str(content["act"]),
        left_out=tuple(content["left_out"]),
        trees=DecisionTrees.from_json(content, len(NAMES)),
        bias=float(content["bias"]),
        known=Known.from_json(content["known"]),
        record=content.get("record", {}),
    )


_finders: dict[tuple[str, str, str, int], tuple[ArticleRanker | None, ArticleFinder]] = {}
"""With the ranker, so that its `id` in the key stays its own."""
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class RankedArticle:
    """An article with its place for a question."""

    number: str
    score: float
    """Log-odds of the ranker, or explicit references and BM25 together; comparable within one
    question alone."""


class ArticleFinder:
    """Ranks the articles of one act for questions."""

    def __init__(self, act: Act, ranker: ArticleRanker | None = None) -> None:
        self.act = act
        self.tables = FeatureTables(act, ArticleTexts(act))
        self.ranker = ranker if ranker is not None and ranker.act == act.number else None

    def rank(self, asked: AskedQuestion, count: int | None = None) -> tuple[RankedArticle, ...]:
        """Return the best articles, best first; without a ranker, as `named_then_bm25` does."""
        if self.ranker is None:
            scores = self.named_then_bm25(asked)
        else:
            scores = self.ranker.scores(self.tables, asked)
        return ranked(self.act, scores, count)

    def named_scores(self, asked: AskedQuestion) -> Scores:
        """Return how often each article is named; the one named first wins a tie."""
        scores = np.zeros(len(self.act.articles))
        for order, one in enumerate(named_articles(asked.text, self.act)):
            for number in one.articles:
                place = self.act.places[number]
                scores[place] += 1 if scores[place] else 1 + 1e-3 / (1 + order)
        return scores

    def bm25_scores(self, asked: AskedQuestion) -> Scores:
        """Return BM25 of the best windows, as a share of the best."""
        found = self.tables.texts.windows(question_terms(asked.text))
        return np.asarray(found / max(found.max(initial=0), 1e-9))

    def named_then_bm25(self, asked: AskedQuestion) -> Scores:
        """Return scores that put what is named first, and the rest behind it by BM25."""
        named = self.named_scores(asked)
        return np.asarray(named + (named > 0) + self.bm25_scores(asked))


def article_finder(act: Act, ranker: ArticleRanker | None = None) -> ArticleFinder:
    """Return a finder; that of the same text and ranker is made once, as it takes a second."""
    text = hashlib.sha256()
    for article in act.articles.values():
        text.update(f"{article.number}\x1f{article.text}\x1e".encode())
    key = (act.document_id, act.number, text.hexdigest(), id(ranker))
    with _lock:
        if key not in _finders:
            while len(_finders) >= FINDERS_KEPT:
                _finders.pop(next(iter(_finders)))
            _finders[key] = ranker, ArticleFinder(act, ranker)
        return _finders[key][1]


def ranked(act: Act, scores: Scores, count: int | None = None) -> tuple[RankedArticle, ...]:
    """Return articles by score, best first, ties in the act's order; what has none is left out."""
    numbers = list(act.articles)
    order = np.argsort(-scores, kind="stable")[:count]
    # Zero is "nothing known" in all scores but log-odds, which are never exactly zero.
    return tuple(
        RankedArticle(numbers[place], float(scores[place]))
        for place in order
        if np.isfinite(scores[place]) and scores[place] != 0
    )
