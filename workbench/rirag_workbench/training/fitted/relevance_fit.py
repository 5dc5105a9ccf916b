"""Fitting the calibration of relevance to questions with and without an answer in the index.

Both probabilities are logistic regressions. Figures are those of questions left out of the fit:
answerable ones by cross-validation, unanswerable ones from files that nothing is fitted to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rirag_workbench.training.data.folds import FOLDS, fold_of
from rirag_workbench.training.fitted.candidate_samples import CandidateSample, Retrievers
from rirag_workbench.training.fitted.logistic_fit import balanced, fit_logistic
from rirag_workbench.training.fitted.nearness_fit import Nearest, fit_nearness
from rirag_workbench.training.fitted.origin import Origin
from rirag_workbench.training.fitted.relevance_report import Judged, RelevanceReport, report_of
from search.errors import InputError
from search.ranking.learned.features import NAMES, Array
from search.ranking.learned.relevance import (
    PASSAGE_SIGNALS,
    QUESTION_SIGNALS,
    RETRIEVER_SIGNALS,
    Calibration,
    Relevance,
    signals,
)
from search.ranking.profiles import Profile

HITS = 10
"""Candidates of each question that the relevance of a hit is fitted to, as many as are shown."""

FEWEST_QUESTIONS = 30
"""Fewest questions with, and without, an answer."""


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """Questions of one source that the index does not answer."""

    name: str
    samples: Sequence[Mapping[Retrievers, CandidateSample]]


def fit_relevance(
    answerable: Sequence[Mapping[Retrievers, CandidateSample]],
    unanswerable: Sequence[Unanswerable],
    held_out: Sequence[Unanswerable],
    profile: Profile,
    origin: Origin,
    data: Sequence[Mapping[str, Any]] = (),
    told: Callable[[str], object] = lambda _: None,
) -> tuple[Relevance, RelevanceReport]:
    """Fit a calibration for each combination of retrievers, and measure it on questions left out.

    Args:
        answerable: from `candidate_samples`, asked with `profile`.
        unanswerable: the same for questions without an answer.
        held_out: the same, for the report alone.
        profile: the fixed weights.
        origin: the index that was asked.
        data: what the questions came from, with hashes, for the record.
        told: called with what is being fitted.

    Raises:
        InputError: there are too few questions of either sort.
        MissingDependencyError: scikit-learn is not installed.
    """
    count = sum(len(one.samples) for one in unanswerable)
    if min(len(answerable), count) < FEWEST_QUESTIONS:
        raise InputError(
            f"a calibration needs {FEWEST_QUESTIONS} answerable and as many "
            f"unanswerable questions, but there are {len(answerable)} and {count}; "
            "give more",
            code="training.data",
        )
    calibrations, reports = [], []
    for retrievers in sorted(answerable[0], key=sorted):
        told("relevance with " + (" and ".join(sorted(retrievers)) or "two retrievers"))
        questions = [_Question(one[retrievers], "answerable") for one in answerable]
        without = [
            _Question(one[retrievers], part.name) for part in unanswerable for one in part.samples
        ]
        others = [
            _Question(one[retrievers], part.name) for part in held_out for one in part.samples
        ]
        calibrations.append(_calibration([*questions, *without], retrievers))
        judged = [*_left_out(questions, without, retrievers), *_judged(others, calibrations[-1])]
        reports.append(report_of(tuple(sorted(retrievers)), judged))
    words = [one[frozenset()].words for one in answerable]
    words += [one[frozenset()].words for part in unanswerable for one in part.samples]
    nearness, near = fit_nearness(
        [*_nearest("answerable", answerable), *_of_all(unanswerable)], _of_all(held_out)
    )
    report = RelevanceReport(tuple(reports), near)
    record = {
        "data": [dict(one) for one in data],
        "answerable": len(answerable),
        "unanswerable": {part.name: len(part.samples) for part in unanswerable},
        "held_out": {part.name: len(part.samples) for part in held_out},
        "profile": profile.name,
        "report": report.to_json(),
    }
    fitted_for = origin.fitted_for(profile.depth, words)
    return Relevance(fitted_for, tuple(calibrations), record, nearness), report


@dataclass(frozen=True, slots=True)
class _Question:
    sample: CandidateSample
    source: str

    @property
    def answerable(self) -> bool:
        return self.source == "answerable"

    @property
    def rows(self) -> Array:
        """Features of its candidates, the best fused one first."""
        rows = self.sample.rows
        return rows[np.argsort(rows[:, NAMES.index("fused rank")], kind="stable")]


def _calibration(questions: Sequence[_Question], retrievers: Retrievers) -> Calibration:
    weights = balanced([one.sample.words for one in questions], [one.source for one in questions])
    more = tuple(name for retriever in sorted(retrievers) for name in RETRIEVER_SIGNALS[retriever])
    tops = [one.sample.rows[:HITS] for one in questions]
    answers = [one.sample.answers[:HITS] for one in questions]
    passage = fit_logistic(
        [signals(one.sample.rows) for one in questions],
        PASSAGE_SIGNALS + more,
        np.concatenate(answers),
        np.repeat(weights, [len(one) for one in tops]),
        HITS,
    )
    question = fit_logistic(
        [signals(one.rows) for one in questions],
        QUESTION_SIGNALS + tuple(name for name in more if name.startswith("best")),
        np.array([one.answerable for one in questions]),
        weights,
        1,
    )
    return Calibration(retrievers, passage, question)


def _left_out(
    questions: Sequence[_Question], without: Sequence[_Question], retrievers: Retrievers
) -> list[Judged]:
    judged = []
    for fold in range(FOLDS):
        mine = [one for one in questions if fold_of(one.sample.question_id) == fold]
        others = [one for one in questions if fold_of(one.sample.question_id) != fold]
        if mine:
            judged += _judged(mine, _calibration([*others, *without], retrievers))
    return judged


def _judged(questions: Sequence[_Question], calibration: Calibration) -> list[Judged]:
    return [
        Judged(
            source=one.source,
            kind=one.sample.kind,
            words=one.sample.words,
            answerable=calibration.answerable(signals(one.rows)),
            relevance=calibration.relevance(signals(one.sample.rows))[:HITS],
            answers=one.sample.answers[:HITS],
        )
        for one in questions
    ]


def _of_all(sources: Sequence[Unanswerable]) -> list[Nearest]:
    return [near for one in sources for near in _nearest(one.name, one.samples)]


def _nearest(
    source: str, samples: Sequence[Mapping[Retrievers, CandidateSample]]
) -> Iterator[Nearest]:
    place = NAMES.index("best cosine")
    for one in samples:
        sample = one[frozenset()]
        yield Nearest(source, sample.words, float(sample.rows[0, place]))
