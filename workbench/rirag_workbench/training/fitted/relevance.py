"""Fitting the calibration of relevance to questions with and without an answer in the index.

Both probabilities are logistic regressions. Figures are those of questions left out of the fit:
answerable ones by cross-validation, unanswerable ones from files that nothing is fitted to.

Weights make every length of question half answerable and half not, so that length itself says
nothing; within a length, every source of unanswerable questions counts alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.refusals import unusable
from rirag_workbench.training.data.held_out import fold_of
from rirag_workbench.training.figures import Members, left_out
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


class Question(NamedTuple):
    """A question with its candidates, with or without an answer among them."""

    source: str
    """`answerable`, or the file that it comes from."""
    sample: CandidateSample

    @property
    def rows(self) -> Array:
        """Features of its candidates, the best fused one first."""
        rows = self.sample.rows
        return rows[np.argsort(rows[:, NAMES.index("fused rank")], kind="stable")]


Asked = tuple[str, Mapping[Retrievers, CandidateSample]]
"""Source of a question, and its candidates under each combination of retrievers."""


def fit_nearness(
    questions: Sequence[Question], held_out: Sequence[Question]
) -> tuple[Logistic, NearnessReport]:
    """Fit the probability of an answer to the best cosine, a single weight and an intercept.

    That is for documents that nothing was fitted on: BM25 scores, logits and fused scores mean
    something else in each rulebook; far from everything in the vectors of an encoder is far
    anywhere. Figures are of the answerable questions, and of those held out.
    """
    answerable = np.array([one.source == "answerable" for one in questions])
    near = [_nearest(one) for one in questions]
    model = fit_logistic(near, NEARNESS_SIGNALS, answerable, _balanced(questions), 1)
    said: dict[str, list[float]] = {}
    for one in (*(one for one in questions if one.source == "answerable"), *held_out):
        said.setdefault(one.source, []).append(model.probability(_nearest(one)).item())
    parted = {
        name: auroc(said["answerable"], values)
        for name, values in said.items()
        if name != "answerable"
    }
    declined = {name: float(np.mean(np.less(one, DOUBTFUL))) for name, one in said.items()}
    return model, NearnessReport(parted, declined)


def _nearest(one: Question) -> dict[str, Array]:
    cosine = one.sample.rows[:1, NAMES.index("best cosine")]
    return dict.fromkeys(NEARNESS_SIGNALS, cosine)


def _balanced(questions: Sequence[Question]) -> Array:
    return balanced([one.sample.words for one in questions], [one.source for one in questions])


HITS = 10
"""Candidates of each question that the relevance of a hit is fitted to, as many as are shown."""

FEWEST_QUESTIONS = 30
"""Fewest questions with, and without, an answer."""


def fit_relevance(
    answerable: Sequence[Mapping[Retrievers, CandidateSample]],
    unanswerable: Sequence[Asked],
    held_out: Sequence[Asked],
    profile: Profile,
    origin: Origin,
    data: Sequence[Mapping[str, Any]] = (),
    told: Callable[[str], object] = lambda _: None,
) -> tuple[Relevance, RelevanceReport]:
    """Fit a calibration for each combination of retrievers; measure it on questions left out."""
    counts = {"answerable": len(answerable), "count": len(unanswerable)}
    if min(counts.values()) < FEWEST_QUESTIONS:
        raise unusable("training.data/calibration", fewest_questions=FEWEST_QUESTIONS, **counts)
    with_answer = [("answerable", one) for one in answerable]

    def under(retrievers: Retrievers, asked: Sequence[Asked]) -> list[Question]:
        return [Question(source, one[retrievers]) for source, one in asked]

    calibrations, reports = [], []
    for retrievers in sorted(answerable[0], key=sorted):
        told("relevance with " + (" and ".join(sorted(retrievers)) or "two retrievers"))
        questions, without = under(retrievers, with_answer), under(retrievers, unanswerable)
        calibrations.append(_calibration([*questions, *without], retrievers))
        judged = _judged(under(retrievers, held_out), calibrations[-1])
        judged += _left_out(questions, without, retrievers)
        reports.append(report_of(tuple(sorted(retrievers)), judged))
    alone: Retrievers = frozenset()
    fitted = under(alone, [*with_answer, *unanswerable])
    nearness, near = fit_nearness(fitted, under(alone, held_out))
    report = RelevanceReport(tuple(reports), near)
    record = {
        "data": [dict(one) for one in data],
        "answerable": len(answerable),
        "unanswerable": dict(Counter(source for source, _ in unanswerable)),
        "held_out": dict(Counter(source for source, _ in held_out)),
        "profile": profile.name,
        "report": report.to_json(),
    }
    fitted_for = origin.fitted_for(profile.depth, (one.sample.words for one in fitted))
    return Relevance(fitted_for, tuple(calibrations), record, nearness), report


def _calibration(questions: Sequence[Question], retrievers: Retrievers) -> Calibration:
    weights = _balanced(questions)
    more = tuple(name for retriever in sorted(retrievers) for name in RETRIEVER_SIGNALS[retriever])
    answers = [one.sample.answers[:HITS] for one in questions]
    passage = fit_logistic(
        [signals(one.sample.rows) for one in questions],
        PASSAGE_SIGNALS + more,
        np.concatenate(answers),
        np.repeat(weights, [len(one) for one in answers]),
        HITS,
    )
    question = fit_logistic(
        [signals(one.rows) for one in questions],
        QUESTION_SIGNALS + tuple(name for name in more if name.startswith("best")),
        np.array([one.source == "answerable" for one in questions]),
        weights,
        1,
    )
    return Calibration(retrievers, passage, question)


def _left_out(
    questions: Sequence[Question], without: Sequence[Question], retrievers: Retrievers
) -> list[Judged]:
    def of(members: Members) -> list[Question]:
        return [one for one, member in zip(questions, members, strict=True) if member]

    folds = np.array([fold_of(one.sample.question_id) for one in questions])
    fits = left_out(folds, lambda some: _calibration([*of(some), *without], retrievers))
    return [one for members, fitted in fits for one in _judged(of(members), fitted)]


def _judged(questions: Sequence[Question], calibration: Calibration) -> list[Judged]:
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
