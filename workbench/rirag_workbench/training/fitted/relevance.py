"""Fitting the calibration of relevance to questions with and without an answer in the index.

Both probabilities are logistic regressions. Figures are those of questions left out of the fit:
answerable ones by cross-validation, unanswerable ones from files that nothing is fitted to.

Weights make every length of question half answerable and half not, so that length itself says
nothing; within a length, every source of unanswerable questions counts alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.held_out import FOLDS, fold_of
from rirag_workbench.training.fitted.candidate_samples import CandidateSample, Origin, Retrievers
from rirag_workbench.training.fitted.relevance_report import (
    Judged,
    NearnessReport,
    RelevanceReport,
    auroc,
    report_of,
)
from search.errors import MissingDependencyError
from search.ranking.learned.features import NAMES, Array
from search.ranking.learned.relevance import (
    NEARNESS_SIGNALS,
    PASSAGE_SIGNALS,
    QUESTION_SIGNALS,
    RETRIEVER_SIGNALS,
    Calibration,
    Logistic,
    Relevance,
    signals,
)
from search.ranking.profiles import Profile
from search.trace import DOUBTFUL

LENGTHS = (5, 10, 18, 28)
"""Word counts at which a new length begins; the last two halve ObliQA's questions, and part them
from the everyday ones."""

MOST_WEIGHT = 20.0
"""Largest weight of a question against the median one."""


def balanced(words: Sequence[int], sources: Sequence[str]) -> Array:
    """Return a weight for each question: within every length both sorts weigh the same."""
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


def fit_logistic(
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
        raise MissingDependencyError("Fitting a calibration", "train", workbench=True) from None
    table = np.vstack([np.column_stack([one[name][:rows] for name in names]) for one in known])
    mean, spread = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-9)
    # A constant signal gets no weight, whatever it is divided by.
    model = LogisticRegression(C=1.0, max_iter=1000)
    model.fit((table - mean) / spread, answers, sample_weight=weights / weights.mean())
    slopes = np.where(table.std(axis=0) > 1e-9, model.coef_[0] / spread, 0.0)
    intercept = float(model.intercept_[0] - (slopes * mean).sum())
    return Logistic(names, tuple(float(one) for one in slopes), intercept)


class Nearest(NamedTuple):
    """A question, and how near the nearest passage is."""

    source: str
    """`answerable`, or where it comes from."""
    words: int
    cosine: float


def fit_nearness(
    questions: Sequence[Nearest], held_out: Sequence[Nearest]
) -> tuple[Logistic, NearnessReport]:
    """Fit the probability of an answer to the best cosine, a single weight and an intercept.

    That is for documents that nothing was fitted on: BM25 scores, logits and fused scores mean
    something else in each rulebook; far from everything in the vectors of an encoder is far
    anywhere.

    Args:
        held_out: without one, for the report alone; answerable ones are reported as fitted.
    """
    weights = balanced([one.words for one in questions], [one.source for one in questions])
    model = fit_logistic(
        [_signals(one) for one in questions],
        NEARNESS_SIGNALS,
        np.array([one.source == "answerable" for one in questions]),
        weights,
        1,
    )
    answerable = [one for one in questions if one.source == "answerable"]
    return model, _nearness_report(model, [*answerable, *held_out])


def _nearness_report(model: Logistic, questions: Sequence[Nearest]) -> NearnessReport:
    said: dict[str, list[float]] = {}
    for one in questions:
        said.setdefault(one.source, []).append(model.probability(_signals(one)).item())
    with_answer = said["answerable"]
    others = {name: values for name, values in said.items() if name != "answerable"}
    return NearnessReport(
        auroc={name: auroc(with_answer, values) for name, values in others.items()},
        declined={name: float(np.mean(np.less(values, DOUBTFUL))) for name, values in said.items()},
    )


def _signals(one: Nearest) -> dict[str, np.ndarray]:
    return {name: np.array([one.cosine]) for name in NEARNESS_SIGNALS}


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
    """Fit a calibration for each combination of retrievers; measure it on questions left out."""
    count = sum(len(one.samples) for one in unanswerable)
    if min(len(answerable), count) < FEWEST_QUESTIONS:
        raise unusable(
            "training.data/calibration",
            fewest_questions=FEWEST_QUESTIONS,
            answerable=len(answerable),
            count=count,
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
