"""Every question under every pair of weights: what a grid search looks up."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rirag.training.fitted import Boundaries, Quality
from rirag.training.legs import Array, LegSample, features, qualities

Members = NDArray[np.bool_]
"""Which samples are meant, shape (samples,)."""


def is_validation(question_id: str) -> bool:
    """Tell whether a question belongs to the validation fifth: SHA-256 divisible by 5."""
    return int(hashlib.sha256(question_id.encode()).hexdigest(), 16) % 5 == 0


def weighted_mean(values: Array, importance: Array) -> Quality:
    """Return the mean of values, shape (questions, 2), with an importance a question."""
    recall, average_precision = np.average(values, axis=0, weights=importance)
    return Quality(len(values), float(recall), float(average_precision))


@dataclass(frozen=True, slots=True)
class Grid:
    """Every sample under every pair of weights."""

    words: NDArray[np.int64]
    """Length of each question, shape (samples,)."""
    validation: Members
    """Which samples no weight is fitted on."""
    importance: Array
    """Weight of each sample in sums over lengths, shape (samples,)."""
    values: Array
    """R@10 and AP@10, shape (samples, alphas, document weights, 2)."""
    alphas: Array
    document_weights: Array

    @classmethod
    def of(
        cls, samples: Sequence[LegSample], alphas: Array, weights: Array, base: Boundaries
    ) -> Grid:
        """Try all weights on all samples; each length of `base` gets the same importance."""
        words = np.array([sample.words for sample in samples], dtype=np.int64)
        validation = np.array([is_validation(sample.question_id) for sample in samples], np.bool_)
        importance = np.zeros(len(samples))
        for part in (validation, ~validation):
            for bucket in range(len(base) + 1):
                members = part & (np.digitize(words, base) == bucket)
                importance[members] = 1 / max(1, members.sum())
        values = np.empty((len(samples), len(alphas), len(weights), 2))
        for row, sample in enumerate(samples):
            values[row] = qualities(features(sample), alphas, weights)
        return cls(words, validation, importance, values, alphas, weights)

    def buckets(self, division: Boundaries) -> list[Members]:
        """Return the samples of each length of a division, shortest first."""
        place = np.digitize(self.words, division)
        return [place == bucket for bucket in range(len(division) + 1)]

    def enough(self, division: Boundaries, least: int) -> bool:
        """Tell whether each length has `least` training samples and one for validation."""
        return all(
            (members & ~self.validation).sum() >= least and (members & self.validation).any()
            for members in self.buckets(division)
        )

    def sums(self, members: Members) -> Array:
        """Return the weighted objective of some samples, shape (alphas, document weights)."""
        objective = self.values[members].sum(axis=-1)
        return np.asarray(np.tensordot(self.importance[members], objective, axes=1))

    def quality(self, members: Members, alpha: int, weight: int) -> Quality:
        """Return the quality of some samples at one place of the grid."""
        return weighted_mean(self.values[members, alpha, weight], self.importance[members])
