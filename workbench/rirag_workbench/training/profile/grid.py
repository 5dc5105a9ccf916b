"""Every question under every combination of weights: what a grid search looks up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.training.data.held_out import fold_of
from rirag_workbench.training.data.samples import (
    Array,
    RetrievalSample,
    Weights,
    features,
    qualities,
)
from rirag_workbench.training.profile.fitted import Boundaries, Quality
from search.ranking.profiles import Profile

Members = NDArray[np.bool_]
"""Which samples are meant, shape (samples,)."""

MIN_QUESTIONS = 20
"""Lengths with fewer questions get no lexical weight of their own, and those with fewer as they
were asked count with others in `importance_of`."""


def weighted_mean(values: Array, importance: Array | None = None) -> Quality:
    """Return the mean of values, shape (questions, 2), with an importance a question or alike."""
    recall, average_precision = np.average(values, axis=0, weights=importance)
    return Quality(float(recall), float(average_precision), len(values))


@dataclass(frozen=True, slots=True)
class Grid:
    """Every sample under every combination of weights, at one depth of the retrievers."""

    words: NDArray[np.int64]
    """Length of each question, shape (samples,)."""
    folds: NDArray[np.int64]
    """Part of the cross-validation of each, shape (samples,)."""
    importance: Array
    """Weight of each sample in sums over lengths, shape (samples,)."""
    values: NDArray[np.float32]
    """R@10 and AP@10, shape (samples, alphas, document weights, votes weights, 2)."""
    weights: Weights

    def buckets(self, division: Boundaries) -> list[Members]:
        """Return the samples of each length of a division, shortest first."""
        place = np.digitize(self.words, division)
        return [place == bucket for bucket in range(len(division) + 1)]

    def enough(self, division: Boundaries, least: int) -> bool:
        """Return whether each length has `least` samples."""
        return all(members.sum() >= least for members in self.buckets(division))

    def sums(self, members: Members) -> Array:
        """Return the weighted R@10 + AP@10 of some samples, shape (A, W, M)."""
        objective = self.values[members].sum(axis=-1)
        return np.asarray(np.tensordot(self.importance[members], objective, axes=1))


@dataclass(frozen=True, slots=True)
class Table:
    """A grid for each depth, and what given profiles make of the same questions."""

    grids: Mapping[int, Grid]
    """Depth → grid, shallowest first."""
    kinds: tuple[str, ...]
    """What sort of question each sample is."""
    compared: Mapping[str, Array]
    """Name of a profile → R@10 and AP@10, shape (samples, 2)."""
    has_memory: bool
    """Whether answered questions voted for any passage."""

    @property
    def importance(self) -> Array:
        """Weight of each sample in sums over lengths, shape (samples,)."""
        return next(iter(self.grids.values())).importance

    @classmethod
    def of(
        cls, samples: Iterable[RetrievalSample], weights: Weights, base: Boundaries,
        depths: Sequence[int] = (100,), compared: Sequence[Profile] = (),
    ) -> Table:  # fmt: skip
        """Try all weights at all depths; samples are looked at one by one, and not kept.

        Args:
            samples: each retriever as deep as the largest of `depths`.
            weights: to try.
            base: see `importance_of`.
            depths: of the retrievers.
            compared: profiles to measure, with weighted sums and not with reciprocal ranks.
        """
        words, folds, kinds = [], [], []
        has_memory = False
        values: dict[int, list[Array]] = {depth: [] for depth in sorted(depths)}
        others: dict[str, list[Array]] = {profile.name: [] for profile in compared}
        for sample in samples:
            words.append(sample.words)
            folds.append(fold_of(sample.question_id))
            kinds.append(sample.kind)
            has_memory = has_memory or bool(sample.memory)
            for depth, found in values.items():
                found_there = features(
                    sample.to_depth(depth), headings_count_less=weights.heading < 1
                )
                tried = qualities(found_there, weights)
                found.append(tried.astype(np.float32))
            for profile in compared:
                others[profile.name].append(quality_under(sample, profile))
        lengths = np.array(words, dtype=np.int64)
        importance = importance_of(lengths, kinds, base)
        parts = np.array(folds, dtype=np.int64)
        empty = np.empty((0, *weights.shape, 2), np.float32)
        grids = {
            depth: Grid(
                lengths, parts, importance, np.stack(found) if found else empty, weights
            )
            for depth, found in values.items()
        }  # fmt: skip
        measured = {name: np.array(found).reshape(-1, 2) for name, found in others.items()}
        return cls(grids, tuple(kinds), measured, has_memory)


def quality_under(sample: RetrievalSample, profile: Profile) -> Array:
    """Return R@10 and AP@10 of one question under a profile without reranking, shape (2,)."""
    weights = Weights(
        alphas=np.array([profile.alpha_for(sample.words)]),
        documents=np.array([profile.document_weight]),
        memory=np.array([profile.votes_weight]),
        heading=profile.heading_weight,
    )
    there = features(sample.to_depth(profile.depth), headings_count_less=weights.heading < 1)
    return np.asarray(qualities(there, weights)[0, 0, 0])


def importance_of(words: NDArray[np.int64], kinds: Sequence[str], base: Boundaries) -> Array:
    """Return what each sample counts for, shape (samples,).

    Questions as they were asked count as much together as all that were made of them or of the
    rulebook, for only they are real. Among the latter each length of `base` counts alike, however
    many there are, because people type one word as often as six; so do the lengths of the former
    of which there are enough.
    """
    asked = np.array([kind == "question" for kind in kinds], np.bool_)
    lengths = np.digitize(words, base)
    lengths[asked] = _joined(lengths[asked])
    group = lengths + (len(base) + 1) * asked
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
