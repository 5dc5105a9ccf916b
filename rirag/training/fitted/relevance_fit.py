"""Fitting the calibration of relevance to questions with and without an answer in the index.

Both probabilities are logistic regressions. Weights make every length of question half answerable
and half not, so that length itself says nothing; within a length, every source of unanswerable
questions counts alike. Figures are those of questions left out of the fit: answerable ones by
cross-validation, unanswerable ones from files that nothing is fitted to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rirag.training.data.folds import FOLDS, fold_of
from rirag.training.fitted.candidate_samples import CandidateSample, Legs
from rirag.training.fitted.origin import Origin
from rirag.training.fitted.relevance_report import Judged, RelevanceReport, report_of
from search.errors import InputError, MissingDependencyError
from search.fitted.features import NAMES, Array
from search.fitted.relevance import (
    LEG_SIGNALS,
    PASSAGE_SIGNALS,
    QUESTION_SIGNALS,
    Calibration,
    Logistic,
    Relevance,
    signals,
)
from search.profiles import Profile

LENGTHS = (5, 10, 18, 28)
"""Word counts at which a new length begins; the last two halve ObliQA's questions, and part them
from the everyday ones."""

MOST_WEIGHT = 20.0
"""Largest weight of a question against the median one."""

HITS = 10
"""Candidates of each question that the relevance of a hit is fitted to, as many as are shown."""

FEWEST_QUESTIONS = 30
"""Fewest questions with, and without, an answer."""


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """Questions of one source that the index does not answer."""

    name: str
    samples: Sequence[Mapping[Legs, CandidateSample]]


def fit_relevance(
    answerable: Sequence[Mapping[Legs, CandidateSample]],
    unanswerable: Sequence[Unanswerable],
    held_out: Sequence[Unanswerable],
    profile: Profile,
    origin: Origin,
    data: Sequence[Mapping[str, Any]] = (),
    told: Callable[[str], object] = lambda _: None,
) -> tuple[Relevance, RelevanceReport]:
    """Fit a calibration for each combination of legs, and measure it on questions left out.

    Args:
        answerable: from `candidate_samples`, asked with `profile`.
        unanswerable: the same for questions without an answer.
        held_out: the same, for the report alone.
        profile: the fixed weights.
        origin: the index that was asked.
        data: what the questions came from, with hashes, for the record.
        told: told what is being fitted.

    Raises:
        InputError: there are too few questions of either sort.
        MissingDependencyError: scikit-learn is not installed.
    """
    count = sum(len(one.samples) for one in unanswerable)
    if min(len(answerable), count) < FEWEST_QUESTIONS:
        raise InputError(
            f"a calibration needs {FEWEST_QUESTIONS} questions that the index answers and as many "
            f"that it does not, and these are {len(answerable)} and {count}; give more"
        )
    calibrations, reports = [], []
    for legs in sorted(answerable[0], key=sorted):
        told("relevance with " + (" and ".join(sorted(legs)) or "two legs"))
        questions = [_Question(one[legs], "answerable") for one in answerable]
        without = [_Question(one[legs], part.name) for part in unanswerable for one in part.samples]
        others = [_Question(one[legs], part.name) for part in held_out for one in part.samples]
        calibrations.append(_calibration([*questions, *without], legs))
        judged = [*_left_out(questions, without, legs), *_judged(others, calibrations[-1])]
        reports.append(report_of(tuple(sorted(legs)), judged))
    words = [one[frozenset()].words for one in answerable]
    words += [one[frozenset()].words for part in unanswerable for one in part.samples]
    report = RelevanceReport(tuple(reports))
    record = {
        "data": [dict(one) for one in data],
        "answerable": len(answerable),
        "unanswerable": {part.name: len(part.samples) for part in unanswerable},
        "held_out": {part.name: len(part.samples) for part in held_out},
        "profile": profile.name,
        "report": report.to_json(),
    }
    fitted_for = origin.fitted_for(profile.depth, words)
    return Relevance(fitted_for, tuple(calibrations), record), report


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


def _calibration(questions: Sequence[_Question], legs: Legs) -> Calibration:
    weights = balanced([one.sample.words for one in questions], [one.source for one in questions])
    more = tuple(name for leg in sorted(legs) for name in LEG_SIGNALS[leg])
    tops = [one.sample.rows[:HITS] for one in questions]
    answers = [one.sample.answers[:HITS] for one in questions]
    passage = _logistic(
        [signals(one.sample.rows) for one in questions],
        PASSAGE_SIGNALS + more,
        np.concatenate(answers),
        np.repeat(weights, [len(one) for one in tops]),
        HITS,
    )
    question = _logistic(
        [signals(one.rows) for one in questions],
        QUESTION_SIGNALS + tuple(name for name in more if name.startswith("best")),
        np.array([one.answerable for one in questions]),
        weights,
        1,
    )
    return Calibration(legs, passage, question)


def balanced(words: Sequence[int], sources: Sequence[str]) -> Array:
    """Return a weight for each question: within every length both sorts weigh the same.

    Args:
        words: length of each question.
        sources: `answerable`, or the name of a source of unanswerable ones.
    """
    lengths = np.digitize(words, LENGTHS)
    weights = np.ones(len(words))
    names = np.array(sources)
    for length in np.unique(lengths):
        there = sorted(set(names[lengths == length]) - {"answerable"})
        total = float((lengths == length).sum())
        for name in ("answerable", *there):
            members = (lengths == length) & (names == name)
            share = 2 if name == "answerable" else 2 * len(there)
            weights[members] = total / share / max(members.sum(), 1)
    return np.asarray(np.minimum(weights, MOST_WEIGHT * np.median(weights)))


def _logistic(
    known: Sequence[Mapping[str, Array]],
    names: tuple[str, ...],
    answers: NDArray[np.bool_],
    weights: Array,
    rows: int,
) -> Logistic:
    """Fit a logistic regression over the first rows of each question."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingDependencyError("Fitting a calibration", "train") from None
    table = np.vstack([np.column_stack([one[name][:rows] for name in names]) for one in known])
    mean, spread = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-9)
    # A constant signal gets no weight, whatever it is divided by.
    model = LogisticRegression(C=1.0, max_iter=1000)
    model.fit((table - mean) / spread, answers, sample_weight=weights / weights.mean())
    slopes = np.where(table.std(axis=0) > 1e-9, model.coef_[0] / spread, 0.0)
    intercept = float(model.intercept_[0] - (slopes * mean).sum())
    return Logistic(names, tuple(float(one) for one in slopes), intercept)


def _left_out(
    questions: Sequence[_Question], without: Sequence[_Question], legs: Legs
) -> list[Judged]:
    judged = []
    for fold in range(FOLDS):
        mine = [one for one in questions if fold_of(one.sample.question_id) == fold]
        others = [one for one in questions if fold_of(one.sample.question_id) != fold]
        if mine:
            judged += _judged(mine, _calibration([*others, *without], legs))
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
