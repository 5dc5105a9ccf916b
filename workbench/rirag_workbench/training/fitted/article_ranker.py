"""Fitting the article ranker: trees over references, BM25 and what answered questions teach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.evaluation.articles import LEFT_OUT, ArticleQuestion, mean_recalls
from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.held_out import FOLDS, fold_by_words, hash_number
from rirag_workbench.training.fitted.trees import TreeSettings, grow_trees
from rirag_workbench.training.runs.record import file_hashes, versions
from search.answered_questions.questions import folded
from search.articles.act import Act
from search.articles.features import NAMES, Array, FeatureTables, named_articles
from search.articles.known import AnsweredQuestion, learn
from search.articles.lexical import ArticleTexts
from search.articles.ranker import ArticleRanker, ranked
from search.ranking.learned.decision_trees import DecisionTrees

Report = Callable[[str], None]

FEWEST_QUESTIONS = 20
"""Q&As of different words that trees are fitted to; each of the five folds then has some."""


@dataclass(frozen=True, slots=True)
class RankerSettings(TreeSettings):
    """How the trees are grown; chosen on folds of the training questions."""

    trees: int = 150
    depth: int = 3
    learning_rate: float = 0.06
    hard_negatives: int = 60
    """Articles of a question that BM25, references and likeness put first."""
    negatives: int = 150
    """Others, drawn at random."""


@dataclass(frozen=True, slots=True)
class FittedRanker:
    """A ranker and what it is worth."""

    ranker: ArticleRanker
    questions: int
    recall: dict[int, float]
    """Depth → mean recall on folds that its trees and counts did not see."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        recall = {str(depth): value for depth, value in self.recall.items()}
        return {"questions": self.questions, "recall_on_folds": recall}


@dataclass(frozen=True, slots=True)
class _Sample:
    question: ArticleQuestion
    fold: int
    rows: Array
    """Features of all articles, by counts that did not see this question."""
    about: NDArray[np.bool_]


def fit_article_ranker(
    act: Act,
    questions: Sequence[ArticleQuestion],
    settings: RankerSettings,
    report: Report,
    left_out: tuple[str, ...] = LEFT_OUT,
    source: Path | None = None,
) -> FittedRanker:
    """Fit trees, and measure them on folds.

    Counts and words that answered questions teach are always those of the other folds, in fitting
    as in measuring, or the trees would learn to trust what they will not have. Questions with the
    same words are in the same fold.

    Args:
        questions: Q&As about it; those about no article of it teach by what they name.
    """
    taught = {one.qa_id: _answered(one, act, left_out) for one in questions}
    different = len({folded(one.asked.question) for one in questions if taught[one.qa_id].about})
    if different < FEWEST_QUESTIONS:
        raise unusable(
            "training.data/ranker", source, fewest_questions=FEWEST_QUESTIONS, different=different
        )
    tables = FeatureTables(act, ArticleTexts(act))
    samples = []
    for fold in range(FOLDS):
        known = learn(
            [taught[one.qa_id] for one in questions if fold_by_words(one.asked.question) != fold]
        )
        inside = [
            one
            for one in questions
            if fold_by_words(one.asked.question) == fold and taught[one.qa_id].about
        ]
        for one in inside:
            about = np.array([number in taught[one.qa_id].about for number in act.articles])
            samples.append(_Sample(one, fold, tables.table(one.asked, known), about))
        report(f"fold {fold + 1} of {FOLDS}: {len(inside)} questions")
    recall = _on_folds(samples, settings, act, left_out)
    report("recall on folds: " + ", ".join(f"{v:.3f} at {k}" for k, v in recall.items()))
    trees, bias = _grow(samples, settings)
    known = learn(list(taught.values()))
    record = {
        "data": [] if source is None else file_hashes([source]),
        "version": act.version,
        "questions": len(samples),
        "settings": asdict(settings),
        "recall_on_folds": {str(depth): round(value, 4) for depth, value in recall.items()},
        "versions": versions(),
    }
    ranker = ArticleRanker(act.number, left_out, trees, bias, known, record)
    return FittedRanker(ranker, len(samples), recall)


def _answered(one: ArticleQuestion, act: Act, left_out: Sequence[str]) -> AnsweredQuestion:
    def named(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(n for ref in named_articles(text, act) for n in ref.articles))

    about = tuple(n for n in one.articles if n in act.places and n not in left_out)
    return AnsweredQuestion(one.asked.text, about, named(one.asked.text), named(one.answer))


def _on_folds(
    samples: Sequence[_Sample], settings: RankerSettings, act: Act, left_out: Sequence[str]
) -> dict[int, float]:
    rankings: dict[str, list[str]] = {}
    for fold in range(FOLDS):
        trees, bias = _grow([one for one in samples if one.fold != fold], settings)
        for one in samples:
            if one.fold == fold:
                found = ranked(act, bias + trees.output(one.rows))
                rankings[one.question.qa_id] = [a.number for a in found if a.number not in left_out]
    numbers = list(act.articles)
    judged = [
        ArticleQuestion(
            one.question.qa_id, one.question.asked,
            tuple(numbers[place] for place in np.flatnonzero(one.about)),
        )
        for one in samples
    ]  # fmt: skip
    return mean_recalls(rankings, judged)


def _grow(samples: Sequence[_Sample], settings: RankerSettings) -> tuple[DecisionTrees, float]:
    """Fit trees to tell a question's articles from others; each question weighs the same."""
    chosen = [_places(one, settings) for one in samples]
    rows = np.vstack([one.rows[places] for one, places in zip(samples, chosen, strict=True)])
    about = np.concatenate([one.about[p] for one, p in zip(samples, chosen, strict=True)])
    weights = np.repeat([1 / one.about.sum() for one in samples], [len(p) for p in chosen])
    return grow_trees(
        rows, about, weights, range(len(NAMES)), settings, "Fitting an article ranker"
    )


def _places(one: _Sample, settings: RankerSettings) -> NDArray[np.int64]:
    """Return the articles of a question that are trained on: its own, hard ones, random ones."""
    draw = np.random.default_rng([settings.seed, hash_number(one.question.qa_id) % 2**32])
    size = len(one.about)
    columns = [NAMES.index(name) for name in ("named share", "window", "whole", "likeness")]
    hard = np.argsort(-one.rows[:, columns].sum(axis=1), kind="stable")[: settings.hard_negatives]
    random = draw.choice(size, min(settings.negatives, size), replace=False)
    return np.unique(np.concatenate([np.flatnonzero(one.about), hard, random]))
