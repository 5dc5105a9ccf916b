"""Every question under every combination of weights: what a grid search looks up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rirag.progress import Progress
from rirag_workbench.training.data.held_out import fold_of
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from rirag_workbench.training.figures import CUTOFF, Array, Members
from search.pipeline import Pipeline
from search.ranking.candidate_set import FusedCandidates
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.records import Filters, Key

LENGTHS = (5, 10)
"""Word counts at which a new length begins, as in BDD-FinLegal (equation 2)."""

MIN_QUESTIONS = 20
"""Lengths with fewer questions get no lexical weight of their own, and those with fewer as they
were asked count with others in `importance_of`."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The candidates of one question as search fuses them; arrays of shape (candidates,)."""

    question_id: str
    """Keyword versions carry the ID of the question they were made from."""
    kind: str
    """See `questions_to_fit.Kind`."""
    words: int
    """Length of the question, as search counts it."""
    lexical: Array
    dense: Array
    document: Array
    """What the three retrievers say, 0 to 1."""
    memory: Array
    """Votes of answered questions, 0 to 1."""
    heading: NDArray[np.bool_]
    """Which are only headings."""
    answers: NDArray[np.bool_]
    """Which answer the question."""
    total: int
    """Passages that do, whether candidates or not."""

    @classmethod
    def of(
        cls, question: QuestionToFit, words: int, fused: FusedCandidates, ids: Mapping[Key, str]
    ) -> Sample:
        """Return what the retrievers found for a question."""
        return cls(
            question_id=question.question_id,
            kind=question.kind,
            words=words,
            lexical=fused.lexical.normalised,
            dense=fused.dense.normalised,
            document=fused.document.normalised,
            memory=np.nan_to_num(fused.memory.raw),
            heading=fused.headings,
            answers=np.array([ids[key] in question.relevant for key in fused.keys.tolist()], bool),
            total=len(question.relevant),
        )


def samples_of(
    pipeline: Pipeline, questions: Iterable[QuestionToFit], base: Profile, own: OwnKnown,
    progress: Progress,
) -> Iterator[Sample]:  # fmt: skip
    """Yield the candidates of each question under a profile that leaves no retriever out."""
    profile = replace(
        load_profile("even"), depth=base.depth, heading_weight=base.heading_weight,
        document_weight=0.1, votes_weight=0.1,
    )  # fmt: skip
    ids = {candidate.key: passage.id for candidate, passage in pipeline.engine.find(Filters())}
    unread = replace(pipeline, reranker=None)
    for question in questions:
        same = own.get(question.question_id, ())
        found = unread.ordered(unread.find(unread.prepare(question.text, profile, None, same)))
        yield Sample.of(question, found.question.words, found.fused, ids)
        progress()


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights to try, in all combinations."""

    alphas: Array
    """Lexical weights, shape (A,)."""
    documents: Array
    """Document weights, shape (W,)."""
    memory: Array = field(default_factory=lambda: np.zeros(1))
    """Votes weights, shape (M,)."""
    heading: float = 1.0
    """Heading weight: one, for it hardly matters."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """A, W and M."""
        return len(self.alphas), len(self.documents), len(self.memory)


def fused_scores(found: Sample, weights: Weights) -> Array:
    """Return scores that order candidates as `search.ranking.fusion.fuse` does.

    Returns:
        Shape (A, W, M, candidates). They are those of `fuse` times a number that depends on the
        question and the votes weight only.
    """
    alphas = weights.alphas[:, None, None, None]
    documents = weights.documents[:, None, None] * found.document.any()
    memory = weights.memory[:, None]
    passage = alphas * found.lexical + (1 - alphas) * found.dense
    with_documents = (1 - documents) * passage + documents * found.document
    factor = np.where(found.heading, weights.heading, 1.0)
    return np.asarray((1 - memory) * (with_documents * factor) + memory * found.memory)


def qualities(found: Sample, weights: Weights) -> Array:
    """Return recall and average precision of every fusion of one question's candidates.

    Returns:
        Shape (A, W, M, 2): R@10 and AP@10 as trec_eval defines them; of equals the first candidate
        comes first.
    """
    if not found.answers.any():
        return np.zeros((*weights.shape, 2))
    scores = fused_scores(found, weights)
    places = [_place(scores, index) for index in np.flatnonzero(found.answers).tolist()]
    ranks = np.sort(np.stack(places, axis=-1), axis=-1)
    hits = ranks <= CUTOFF
    precision = np.arange(1, ranks.shape[-1] + 1) / ranks
    return np.stack([hits.sum(axis=-1), (precision * hits).sum(axis=-1)], axis=-1) / found.total


def _place(scores: Array, index: int) -> NDArray[np.int64]:
    """Return the 1-based rank of a candidate in every fusion."""
    own = scores[..., index, None]
    before = (scores > own).sum(axis=-1) + (scores[..., :index] == own).sum(axis=-1)
    return np.asarray(before + 1)


def quality_under(sample: Sample, profile: Profile) -> Array:
    """Return R@10 and AP@10 of one question under a profile without reranking, shape (2,)."""
    weights = Weights(
        alphas=np.array([profile.alpha_for(sample.words)]),
        documents=np.array([profile.document_weight]),
        memory=np.array([profile.votes_weight]),
        heading=profile.heading_weight,
    )
    return np.asarray(qualities(sample, weights)[0, 0, 0])


@dataclass(frozen=True, slots=True)
class Grid:
    """Every sample under every combination of weights, and under given profiles."""

    words: NDArray[np.int64]
    """Length of each question, shape (samples,)."""
    folds: NDArray[np.int64]
    """Part of the cross-validation of each, shape (samples,)."""
    kinds: NDArray[np.str_]
    """What sort of question each is, shape (samples,)."""
    importance: Array
    """Weight of each sample in sums over lengths, shape (samples,)."""
    values: NDArray[np.float32]
    """R@10 and AP@10, shape (samples, alphas, document weights, votes weights, 2)."""
    weights: Weights
    compared: Mapping[str, Array]
    """Name of a profile → R@10 and AP@10, shape (samples, 2)."""
    has_memory: bool
    """Whether answered questions voted for any passage."""

    @classmethod
    def of(
        cls, samples: Iterable[Sample], weights: Weights, compared: Sequence[Profile] = ()
    ) -> Grid:
        """Try all weights; samples are looked at one by one, and not kept."""
        about: list[tuple[int, int, str, bool]] = []
        values: list[NDArray[np.float32]] = []
        others: list[list[Array]] = []
        for one in samples:
            fold = fold_of(one.question_id)
            about.append((one.words, fold, one.kind, bool(one.memory.any())))
            values.append(qualities(one, weights).astype(np.float32))
            others.append([quality_under(one, profile) for profile in compared])
        words, folds, kinds, voted = zip(*about, strict=True) if about else ((), (), (), ())
        measured = np.array(others).reshape(len(about), len(compared), 2)
        lengths = np.array(words, np.int64)
        return cls(
            words=lengths,
            folds=np.array(folds, np.int64),
            kinds=np.array(kinds, np.str_),
            importance=importance_of(lengths, kinds),
            values=np.array(values, np.float32).reshape(-1, *weights.shape, 2),
            weights=weights,
            compared={one.name: measured[:, place] for place, one in enumerate(compared)},
            has_memory=any(voted),
        )

    def buckets(self, division: tuple[int, ...]) -> list[Members]:
        """Return the samples of each length of a division, shortest first."""
        place = np.digitize(self.words, division)
        return [place == bucket for bucket in range(len(division) + 1)]

    def sums(self, members: Members) -> Array:
        """Return the weighted R@10 + AP@10 of some samples, shape (A, W, M)."""
        objective = self.values[members].sum(axis=-1)
        return np.asarray(np.tensordot(self.importance[members], objective, axes=1))


def importance_of(words: NDArray[np.int64], kinds: Sequence[str]) -> Array:
    """Return what each sample counts for, shape (samples,).

    Questions as they were asked count as much together as all that were made of them or of the
    rulebook, for only they are real. Among the latter each length counts alike, however many there
    are, because people type one word as often as six; so do the lengths of the former of which
    there are enough.
    """
    asked = np.array([kind == "question" for kind in kinds], np.bool_)
    lengths = np.digitize(words, LENGTHS)
    lengths[asked] = _joined(lengths[asked])
    group = lengths + (len(LENGTHS) + 1) * asked
    counts = np.bincount(group, minlength=1)
    lengths_of = {side: len(set(group[asked == side])) for side in (False, True)}
    shares = np.where(asked, 1 / max(1, lengths_of[True]), 1 / max(1, lengths_of[False]))
    return np.asarray(shares / counts[group])


def _joined(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count lengths of too few questions with the nearest length of enough, a longer one first.

    Where no length has enough, all are one.
    """
    found, counts = np.unique(lengths, return_counts=True)
    enough = found[counts >= MIN_QUESTIONS]
    if not len(enough):
        return np.zeros_like(lengths)
    nearest = {one: min(enough, key=lambda other: (abs(other - one), -other)) for one in found}
    return np.array([nearest[one] for one in lengths], np.int64)
