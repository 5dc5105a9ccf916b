"""Fitting a fusion profile: a lexical weight for each question length, and a document weight.

Weights are chosen on the training questions by grid search; the division into lengths is chosen,
and the result reported, on validation questions that no weight was fitted on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rirag.training.fitted import Boundaries, FittedLength, FittedProfile, GridPoint, Quality
from rirag.training.grid import Grid, Members, weighted_mean
from rirag.training.legs import Array, LegSample, features, qualities
from search.errors import InputError

ALPHAS = tuple(round(step * 0.05, 2) for step in range(21))
DOCUMENT_WEIGHTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)
"""Around the 0.1 of RIRAG, appendix A.7."""

BOUNDARIES: tuple[Boundaries, ...] = (
    (5, 10), (), (5,), (10,), (3, 5, 10), (5, 10, 20), (5, 10, 25), (5, 10, 30), (5, 10, 20, 30),
)  # fmt: skip
"""Divisions tried; the first is that of BDD-FinLegal (equation 2) and preferred."""
MARGIN = 0.001
"""How much R@10 + AP@10 another division must gain on validation to be taken instead."""
MIN_QUESTIONS = 20
"""Lengths with fewer training questions get no weight of their own."""


def fit_profile(
    samples: Sequence[LegSample],
    *,
    alphas: Sequence[float] = ALPHAS,
    document_weights: Sequence[float] = DOCUMENT_WEIGHTS,
    boundaries: Sequence[Boundaries] = BOUNDARIES,
    min_questions: int = MIN_QUESTIONS,
) -> FittedProfile:
    """Fit lexical weights by question length and one document weight for R@10 + AP@10.

    Every length of `boundaries[0]` counts alike, however many questions it has, because people
    type keywords as often as sentences.

    Args:
        samples: questions and keyword versions; split here by `is_validation`.
        alphas: lexical weights to try, 0 to 1.
        document_weights: document weights to try, 0 to 1.
        boundaries: divisions into lengths to try, the preferred one first.
        min_questions: a division needs so many training questions of each length, and one for
            validation.

    Raises:
        InputError: no division has enough questions.
    """
    grid = Grid.of(samples, np.array(alphas), np.array(document_weights), boundaries[0])
    fits = [_fit(grid, division) for division in boundaries if grid.enough(division, min_questions)]
    if not fits:
        raise InputError(
            f"there are too few questions to fit a profile; give at least {min_questions} for "
            "training and one for validation of every length."
        )
    best = fits[0]
    for fit in fits[1:]:
        if fit.validation.objective > best.validation.objective + MARGIN:
            best = fit
    tried = tuple((fit.division, fit.validation.objective) for fit in fits)
    return _report(grid, best, tried)


def quality_of(
    samples: Sequence[LegSample], alpha: Callable[[int], float], document_weight: float
) -> Quality:
    """Return the quality of given weights, such as another profile's; every sample counts alike.

    `alpha` maps the length of a question in words to its lexical weight.
    """
    weights = np.array([document_weight])
    values = np.array(
        [
            qualities(features(sample), np.array([alpha(sample.words)]), weights)[0, 0]
            for sample in samples
        ]
    )
    return weighted_mean(values, np.ones(len(samples)))


@dataclass(frozen=True, slots=True)
class _Fit:
    division: Boundaries
    alphas: tuple[int, ...]
    """Place in the grid, for each length."""
    weight: int
    validation: Quality


def _fit(grid: Grid, division: Boundaries) -> _Fit:
    buckets = grid.buckets(division)
    sums = np.array([grid.sums(members & ~grid.validation) for members in buckets])
    weight = _middle_of_best(sums.max(axis=1).sum(axis=0))
    alphas = tuple(_middle_of_best(of_length[:, weight]) for of_length in sums)
    return _Fit(division, alphas, weight, _overall(grid, buckets, alphas, weight, validation=True))


def _middle_of_best(values: Array) -> int:
    """Return the middle place among those that are best, away from the edges of a plateau."""
    best = np.flatnonzero(values >= values.max() - 1e-9)
    return int(best[len(best) // 2])


def _overall(
    grid: Grid, buckets: Sequence[Members], alphas: Sequence[int], weight: int,
    *, validation: bool,
) -> Quality:  # fmt: skip
    part = grid.validation == validation
    values = np.concatenate(
        [grid.values[members & part, a, weight] for members, a in zip(buckets, alphas, strict=True)]
    )
    importance = np.concatenate([grid.importance[members & part] for members in buckets])
    return weighted_mean(values, importance)


def _report(
    grid: Grid, fit: _Fit, divisions: tuple[tuple[Boundaries, float], ...]
) -> FittedProfile:
    buckets = grid.buckets(fit.division)
    least = (1, *fit.division)
    below = (*fit.division, None)
    lengths = [
        FittedLength(
            least[place],
            below[place],
            float(grid.alphas[alpha]),
            grid.quality(members & ~grid.validation, alpha, fit.weight),
            grid.quality(members & grid.validation, alpha, fit.weight),
        )
        for place, (members, alpha) in enumerate(zip(buckets, fit.alphas, strict=True))
    ]
    points = [
        GridPoint(
            least[place],
            float(grid.alphas[alpha]),
            float(grid.document_weights[weight]),
            grid.quality(members & ~grid.validation, alpha, weight),
        )
        for place, members in enumerate(buckets)
        for alpha, weight in np.ndindex(len(grid.alphas), len(grid.document_weights))
    ]
    return FittedProfile(
        lengths=tuple(lengths),
        document_weight=float(grid.document_weights[fit.weight]),
        training=_overall(grid, buckets, fit.alphas, fit.weight, validation=False),
        validation=fit.validation,
        divisions=divisions,
        grid=tuple(points),
    )
