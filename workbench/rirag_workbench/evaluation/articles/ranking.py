"""How well the articles that Q&As are about are found, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indexer.load.report import count
from rirag_workbench.evaluation.articles.questions import LEFT_OUT, ArticleQuestion
from rirag_workbench.evaluation.retrieval.defaults import DEPTH
from rirag_workbench.evaluation.retrieval.runs import Ranking
from search.articles.features import AskedQuestion
from search.articles.lexical import Scores
from search.articles.ranker import ArticleFinder, ranked
from search.models.encoders.protocol import Encoder

CUTOFFS = (5, 10, 20, 30)
"""Recall is told at these depths, as in Licari et al., section 2.2.1."""

Step = Callable[[AskedQuestion], Scores]


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step's articles of every question."""

    name: str
    recall: Mapping[int, float]
    """Depth → mean over the questions of the share of their articles that are found, 0 to 1."""
    run: Mapping[str, Ranking]


@dataclass(frozen=True, slots=True)
class ArticleEvaluation:
    """What was measured."""

    questions: int
    act: str
    version: str
    steps: tuple[StepResult, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the stable JSON form."""
        return {
            "questions": self.questions,
            "act": self.act,
            "version": self.version,
            "steps": [
                {"name": one.name, "recall": {str(k): v for k, v in one.recall.items()}}
                for one in self.steps
            ],
            "notes": list(self.notes),
        }

    def to_table(self) -> str:
        """Return the figures as lines to read."""
        held = f"{self.act}, version of {self.version}" if self.version else self.act
        head = "".join(f"{'R@' + str(k):>8}" for k in CUTOFFS)
        width = max(len(one.name) for one in self.steps)
        lines = [f"{count(self.questions, 'question')}, {held}", f"{'':{width}}{head}"]
        for one in self.steps:
            values = "".join(f"{one.recall[k]:8.3f}" for k in CUTOFFS)
            lines.append(f"{one.name:{width}}{values}")
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def evaluate_articles(
    questions: Sequence[ArticleQuestion],
    finder: ArticleFinder,
    encoder: Encoder | None = None,
    notes: Sequence[str] = (),
) -> ArticleEvaluation:
    """Measure each step: references alone, BM25 behind them, vectors beside it, the ranker.

    Args:
        questions: with articles of the act.
        finder: of the act.
        encoder: adds a step; None: without it.
        notes: printed with the result.
    """
    steps = _steps(finder, encoder)
    results = [_measured(name, step, questions, finder) for name, step in steps.items()]
    act = finder.act
    return ArticleEvaluation(
        len(questions), act.title or act.number, act.version, tuple(results), tuple(notes)
    )


def recall_at(ranking: Sequence[str], wanted: Sequence[str], depth: int) -> float:
    """Return the share of the wanted articles among the first ones, 0 to 1."""
    return sum(number in ranking[:depth] for number in wanted) / len(wanted)


def mean_recalls(
    rankings: Mapping[str, Sequence[str]], questions: Sequence[ArticleQuestion]
) -> dict[int, float]:
    """Return the mean recall at each of `CUTOFFS`."""
    return {
        depth: float(
            np.mean([recall_at(rankings[one.qa_id], one.articles, depth) for one in questions])
        )
        for depth in CUTOFFS
    }


def _steps(finder: ArticleFinder, encoder: Encoder | None) -> dict[str, Step]:
    steps: dict[str, Step] = {
        "explicit": finder.named_scores,
        "explicit + BM25": finder.named_then_bm25,
    }
    if encoder is not None:
        steps["explicit + BM25 + dense"] = _dense(finder, encoder)
    ranker = finder.ranker
    if ranker is not None:
        tables = finder.tables
        steps["explicit + BM25 + ranker"] = lambda asked: ranker.scores(tables, asked)
    return steps


def _dense(finder: ArticleFinder, encoder: Encoder) -> Step:
    """Return explicit references first, then the mean of BM25 and cosine, each as a share."""
    articles = list(finder.act.articles.values())
    windows = [(place, text) for place, one in enumerate(articles) for text in one.windows()]
    vectors = encoder.encode_passages([text for _, text in windows]).vectors
    owner = np.array([place for place, _ in windows], dtype=np.int64)

    def scores(asked: AskedQuestion) -> Scores:
        cosines = vectors @ encoder.encode_questions([asked.text])[0]
        best = np.zeros(len(articles))
        np.maximum.at(best, owner, cosines)
        named = finder.named_scores(asked)
        beside = (finder.bm25_scores(asked) + best / max(best.max(initial=0), 1e-9)) / 2
        return np.asarray(named + (named > 0) + beside)

    return scores


def _measured(
    name: str, step: Step, questions: Sequence[ArticleQuestion], finder: ArticleFinder
) -> StepResult:
    run: dict[str, Ranking] = {}
    for one in questions:
        found = ranked(finder.act, step(one.asked), DEPTH + len(LEFT_OUT))
        kept = [(a.number, a.score) for a in found if a.number not in LEFT_OUT]
        run[one.qa_id] = tuple(kept[:DEPTH])
    numbers = {qa: [number for number, _ in ranking] for qa, ranking in run.items()}
    return StepResult(name, mean_recalls(numbers, questions), run)
