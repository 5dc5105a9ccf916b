"""Fitting how many candidates a reranker reads, and what its opinion weighs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rirag.progress import Progress
from rirag_workbench.training.data.held_out import fold_of
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from rirag_workbench.training.figures import Array, Gain, left_out, quality
from rirag_workbench.training.fitted.candidate_samples import ProfileOf
from rirag_workbench.training.profile.fit import RerankFit
from search.models.rerankers.protocol import Reranker
from search.pipeline import Pipeline
from search.ranking.steps.ordering.rerank import mixed

COUNTS = (10, 20, 30, 50)
"""Candidates read, fewest first: each costs some milliseconds."""

WEIGHTS = np.round(np.arange(11) * 0.1, 1)

MARGIN = 0.0005
"""How much R@10 + AP@10 each further candidate that is read must gain: reading takes most of a
search's time."""


@dataclass(frozen=True, slots=True)
class RerankSample:
    """What a reranker can read for one question; arrays of shape (candidates,), best first."""

    fold: int
    before: Array
    """Scores without the reranker."""
    scores: Array
    """What the reranker gives each."""
    relevant: NDArray[np.bool_]
    total: int
    """Relevant passages in all, whether candidates or not."""


def rerank_samples(
    pipeline: Pipeline, reranker: Reranker, questions: Iterable[QuestionToFit],
    profile_of: ProfileOf, own: OwnKnown, progress: Progress,
) -> Iterator[RerankSample]:  # fmt: skip
    """Ask each question without reranking, and let the reranker read what comes first."""
    unread = replace(pipeline, reranker=None)
    for question in questions:
        profile, same = profile_of(question.question_id), own.get(question.question_id, ())
        prepared = unread.prepare(question.text, profile, None, same)
        found = unread.ordered(unread.find(prepared))
        fused, ranking = found.fused, found.ranking
        places = ranking.places[: max(COUNTS)]
        if len(places):
            passages = pipeline.engine.passages(fused.keys[places].tolist())
            scores = reranker.score(prepared.question.text, [one.text for one in passages])
            yield RerankSample(
                fold=fold_of(question.question_id),
                before=ranking.scores[: max(COUNTS)],
                scores=np.array(scores, np.float64),
                relevant=np.array([one.id in question.relevant for one in passages], np.bool_),
                total=len(question.relevant),
            )
        progress()


def fit_rerank(samples: Sequence[RerankSample], reranker: str) -> RerankFit:
    """Choose count and weight for R@10 + AP@10; every question counts alike."""
    values = np.array([[[_quality(one, count, float(weight)) for weight in WEIGHTS]
                        for count in COUNTS] for one in samples])  # fmt: skip
    folds = np.array([sample.fold for sample in samples])
    after = np.zeros((len(samples), 2))
    for members, chosen in left_out(
        folds, lambda some: _choose(values[some] if some.any() else values)
    ):
        after[members] = values[members][:, *chosen]
    count, weight = _choose(values)
    gain = Gain.of(values[:, 0, 0], after)
    return RerankFit(reranker, COUNTS[count], float(WEIGHTS[weight]), gain)


def _choose(values: Array) -> tuple[int, int]:
    """Return the places of count and weight: more candidates where they are worth their time."""
    objective = values.mean(axis=0).sum(axis=-1)
    chosen = 0
    for row in range(1, len(COUNTS)):
        margin = MARGIN * (COUNTS[row] - COUNTS[chosen])
        if objective[row].max() > objective[chosen].max() + margin:
            chosen = row
    return chosen, int(objective[chosen].argmax())


def _quality(sample: RerankSample, count: int, weight: float) -> tuple[float, float]:
    """Return R@10 and AP@10 when the first candidates are reranked."""
    scores = mixed(sample.before[:count], sample.scores[:count], weight)
    order = [*np.argsort(-scores, kind="stable"), *range(count, len(sample.before))]
    return quality(sample.relevant[order], sample.total)
