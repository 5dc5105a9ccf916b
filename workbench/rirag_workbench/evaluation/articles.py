"""Q&As about the articles of an act, such as those of the EBA, and how well these are found.

A file has one JSON object a line:

    {"qa_id": "2013_105", "article": "63, 490", "question": "…", "background": "…", "answer": "…"}

`background`, `answer` and `topic` may be missing or null. `article` says what the Q&A is about, in
the words of whoever filled in the form: `Art. 430 (1)`, `467-478`, `N/A`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from indexer.load.report import count
from indexer.review.structure import structure
from rirag.inputs.json_records import json_lines, read_records, refuse_half_characters
from rirag_workbench.evaluation.retrieval.runs import DEPTH, Ranking
from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import Row, Table, to_text
from search.articles.act import Act, act_of
from search.articles.features import AskedQuestion
from search.articles.lexical import Scores
from search.articles.ranker import ArticleFinder, ranked
from search.json_form import Record


def read_act(path: Path) -> Act:
    """Read one act with its articles, just as it would be in an index."""
    if not path.is_file():
        raise unusable("file.unreadable/act-missing", path)
    acts = [act_of(one.passages) for one in structure(path).documents]
    found = next((act for act in acts if act.articles), None)
    if found is None:
        raise unusable("evaluation.invalid/no-article", path)
    return found


MOST_IN_RANGE = 20
"""`467-478` names twelve articles; a longer range names a part of the act, and no answer."""

_PARAGRAPHS = re.compile(r"\([^)]*\)")
_NUMBER = re.compile(r"(?<![\w/])(\d{1,6})([a-z]{0,3})(?:\s*[-–]\s*(\d{1,6}))?\b(?!/\d{4}\b)")
"""But not the number of an act, as in `575/2013`."""


def article_numbers(text: str) -> tuple[str, ...]:
    """Return the articles that a field such as `486, 62`, `Art. 430 (1)` or `467-478` names."""
    found: dict[str, None] = {}
    for first, letters, last in _NUMBER.findall(_PARAGRAPHS.sub(" ", text)):
        if last and 0 < int(last) - int(first) < MOST_IN_RANGE:
            following = range(int(first) + 1, int(last) + 1)
            found.update(dict.fromkeys([first + letters, *map(str, following)]))
        else:
            found[first + letters] = None
    return tuple(found)


LEFT_OUT = ("99",)
"""Articles that are not targets: questions on reporting name Article 99 whatever they are about
(Licari et al., section 2.2.1)."""


@dataclass(frozen=True, slots=True)
class ArticleQuestion:
    """One Q&A."""

    qa_id: str
    asked: AskedQuestion
    articles: tuple[str, ...]
    """Numbers in small letters, as the field names them, whether or not the act has them."""
    answer: str = ""
    topic: str = ""
    line: int = 0
    """1-based, in its file."""


def read_article_questions(path: Path) -> tuple[ArticleQuestion, ...]:
    """Read a file of Q&As."""
    first: dict[str, int] = {}

    def question(record: object, line: int) -> ArticleQuestion:
        found = _question(record, line)
        if found.qa_id in first:
            used = f"the qa_id {found.qa_id!r} is already used on line {first[found.qa_id]}."
            raise ValueError(used)
        first[found.qa_id] = line
        return found

    return tuple(read_records(path, question, json_lines))


def judged(
    questions: tuple[ArticleQuestion, ...], act: Act, path: Path
) -> tuple[list[ArticleQuestion], list[str]]:
    """Return the Q&As about an act, and a sentence for each article that it does not have.

    Their `articles` are those of the act alone, without those left out.
    """
    kept, notes = [], []
    for one in questions:
        known = tuple(n for n in one.articles if n in act.places and n not in LEFT_OUT)
        notes += [
            f"{path}:{one.line}: {act.title} has no Article {n}, which {one.qa_id} names; it is "
            "not counted."
            for n in one.articles
            if n not in act.places
        ]
        if known:
            kept.append(replace(one, articles=known))
    if not kept:
        raise unusable("evaluation.invalid/other-act", path, act=act.title or "the act")
    return kept, notes


def _question(record: object, line: int) -> ArticleQuestion:
    """Check one record; a ValueError says what is wrong with it."""
    if not isinstance(record, dict):
        raise ValueError("a Q&A must be a JSON object.")
    for name in ("qa_id", "question"):
        value = record.get(name)
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"a Q&A needs {name!r}, a non-empty text.")
    for name in ("article", "background", "answer", "topic"):
        if not isinstance(record.get(name) or "", str):
            raise ValueError(f"{name!r} of a Q&A must be a text.")
    for name in ("qa_id", "question", "article", "background", "answer", "topic"):
        refuse_half_characters(record.get(name) or "", f"{name!r} of a Q&A")
    if len(record["qa_id"].split()) != 1:
        raise ValueError(f"the qa_id {record['qa_id']!r} contains white space.")
    return ArticleQuestion(
        qa_id=record["qa_id"],
        asked=AskedQuestion(record["question"], record.get("background") or ""),
        articles=article_numbers((record.get("article") or "").lower()),
        answer=record.get("answer") or "",
        topic=record.get("topic") or "",
        line=line,
    )


CUTOFFS = (5, 10, 20, 30)
"""Recall is told at these depths, as in Licari et al., section 2.2.1."""

Step = Callable[[AskedQuestion], Scores]


@dataclass(frozen=True, slots=True)
class StepResult(Record):
    """One step's articles of every question."""

    name: str
    recall: Mapping[int, float]
    """Depth → mean over the questions of the share of their articles that are found, 0 to 1."""
    run: Mapping[str, Ranking]

    json_form = "name recall"


@dataclass(frozen=True, slots=True)
class ArticleEvaluation(Record):
    """What was measured."""

    questions: int
    act: str
    version: str
    steps: tuple[StepResult, ...]
    notes: tuple[str, ...] = ()

    def to_table(self) -> str:
        """Return the figures as lines to read."""
        held = f"{self.act}, version of {self.version}" if self.version else self.act
        rows: list[Row] = [(one.name, *one.recall.values()) for one in self.steps]
        table = Table("step", [f"R@{depth}" for depth in CUTOFFS], rows)
        return to_text([table], [f"{count(self.questions, 'question')}, {held}"], notes=self.notes)


def evaluate_articles(
    questions: Sequence[ArticleQuestion], finder: ArticleFinder, notes: Sequence[str] = ()
) -> ArticleEvaluation:
    """Measure each step: references alone, BM25 behind them, the ranker."""
    steps: dict[str, Step] = {
        "explicit": finder.named_scores,
        "explicit + BM25": finder.named_then_bm25,
    }
    ranker, tables = finder.ranker, finder.tables
    if ranker is not None:
        steps["explicit + BM25 + ranker"] = lambda asked: ranker.scores(tables, asked)
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
