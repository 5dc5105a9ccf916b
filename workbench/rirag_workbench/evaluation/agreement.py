"""Agreement over a table of ratings, with intervals: bootstrap samples of whole questions.

Each coefficient takes shape (items, raters), with NaN where nothing was rated, and returns None
where it is not defined. Krippendorff's α is that of the library `krippendorff`, Kendall's τ-b that
of SciPy.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.evaluation.ratings import Ratings, Value
from rirag_workbench.evaluation.statistics import SAMPLES, interval
from rirag_workbench.reports.tables import Table, to_text
from search.json_form import Record

Array = NDArray[np.float64]
Coefficient = Callable[[Array], float | None]


def percent_agreement(table: Array) -> float | None:
    """Return the share of pairs of raters that agree, mean over the items rated by two or more."""
    counts = _counts(table)
    rated = counts.sum(axis=1)
    usable = rated >= 2
    if not usable.any():
        return None
    n, agreeing = rated[usable], counts[usable]
    return float(np.mean((agreeing * (agreeing - 1)).sum(axis=1) / (n * (n - 1))))


def cohen_kappa(table: Array) -> float | None:
    """Return Cohen's κ; of more than two raters the mean over the pairs for which it is defined.

    It is not defined where two raters gave one and the same rating to everything.
    """
    return _mean_of_pairs(table, _kappa_of_pair)


def _kappa_of_pair(one: Array, other: Array) -> float | None:
    values = np.unique(np.concatenate([one, other]))
    observed = float(np.mean(one == other))
    expected = float(sum(np.mean(one == value) * np.mean(other == value) for value in values))
    return None if np.isclose(expected, 1) else (observed - expected) / (1 - expected)


def kendall_tau(table: Array) -> float | None:
    """Return Kendall's τ-b; of more than two raters the mean over the pairs that have it."""
    from scipy.stats import kendalltau

    def of_pair(one: Array, other: Array) -> float | None:
        if len(np.unique(one)) < 2 or len(np.unique(other)) < 2:
            return None
        return float(kendalltau(one, other, variant="b").statistic)

    return _mean_of_pairs(table, of_pair)


def _krippendorff(table: Array, level: str) -> float | None:
    import krippendorff

    paired = table[(~np.isnan(table)).sum(axis=1) >= 2]
    if len(np.unique(paired[~np.isnan(paired)])) < 2:
        return None
    return float(krippendorff.alpha(reliability_data=paired.T, level_of_measurement=level))


krippendorff_nominal = partial(_krippendorff, level="nominal")
krippendorff_ordinal = partial(_krippendorff, level="ordinal")


def gwet_ac1(table: Array) -> float | None:
    """Return Gwet's AC1 (2008), which a skewed prevalence does not push towards 0.

    Not defined where there is one category only.
    """
    counts = _counts(table)
    categories = counts.shape[1]
    observed = percent_agreement(table)
    if categories < 2 or observed is None:
        return None
    rated = counts.sum(axis=1)
    share = (counts[rated > 0] / rated[rated > 0, None]).mean(axis=0)
    expected = float((share * (1 - share)).sum() / (categories - 1))
    return (observed - expected) / (1 - expected)


COEFFICIENTS: Mapping[str, Coefficient] = {
    "percent agreement": percent_agreement,
    "Cohen's κ": cohen_kappa,
    "Krippendorff's α, nominal": krippendorff_nominal,
    "Krippendorff's α, ordinal": krippendorff_ordinal,
    "Gwet's AC1": gwet_ac1,
    "Kendall's τ-b": kendall_tau,
}

NUMERIC = frozenset({"Krippendorff's α, ordinal", "Kendall's τ-b"})
"""Coefficients of numbers: categories have no order."""


def _counts(table: Array) -> NDArray[np.int64]:
    """Return how many raters gave an item each value, shape (items, values)."""
    values = np.unique(table[~np.isnan(table)])
    counts: NDArray[np.int64] = (table[:, :, None] == values).sum(axis=1)
    return counts


def _mean_of_pairs(table: Array, of_pair: Callable[[Array, Array], float | None]) -> float | None:
    found = []
    for one, other in combinations(table.T, 2):
        both = ~np.isnan(one) & ~np.isnan(other)
        value = of_pair(one[both], other[both]) if both.any() else None
        if value is not None:
            found.append(value)
    return float(np.mean(found)) if found else None


MOST_TIMES = 5
"""If the largest ratings of two raters are further apart, their scales may differ."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A coefficient."""

    value: float | None
    """None: it is not defined for these ratings."""
    low: float | None = None
    """Bounds of the 95 % interval; None: too few samples have a value."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement(Record):
    """How far raters agree."""

    raters: tuple[str, ...]
    items: int
    """Rated by two raters or more."""
    questions: int
    figures: Mapping[str, Figure]
    prevalence: Mapping[str, float]
    """Rating → its share of all ratings."""
    notes: tuple[str, ...] = ()
    """What makes the figures doubtful."""

    @property
    def undefined(self) -> str:
        """Why a coefficient has no value."""
        if len(self.prevalence) == 1:
            return f"not defined: all ratings are {next(iter(self.prevalence))}"
        return "not defined: the ratings of the shared items do not vary enough"

    json_form = "raters items questions agreement=figures prevalence notes"


def agreement_of(ratings: Ratings, samples: int = SAMPLES) -> Agreement:
    """Return every coefficient with its interval."""
    table = _numbers(ratings)
    usable = (~np.isnan(table)).sum(axis=1) >= 2
    clusters = [one for one, counts in zip(ratings.clusters, usable, strict=True) if counts]
    names = [name for name in COEFFICIENTS if ratings.is_numeric or name not in NUMERIC]
    figures = {
        name: _figure(COEFFICIENTS[name], table, table[usable], clusters, samples) for name in names
    }
    given = Counter(one for row in ratings.values for one in row if one is not None)
    total = given.total()
    prevalence = {_shown(one): given[one] / total for one in sorted(given, key=_order)}
    notes = _scale_notes(ratings.raters, table) if ratings.is_numeric else ()
    return Agreement(ratings.raters, len(clusters), len(set(clusters)), figures, prevalence, notes)


def _scale_notes(raters: Sequence[str], table: Array) -> tuple[str, ...]:
    """Return a note if one rater's largest rating is many times another's."""
    largest = np.nanmax(abs(table), axis=0)
    low, high = int(largest.argmin()), int(largest.argmax())
    if not 0 < MOST_TIMES * largest[low] < largest[high]:
        return ()
    return (
        f"the largest rating of {raters[low]} is {largest[low]:g}, that of {raters[high]} "
        f"{largest[high]:g}; check that they use the same scale",
    )


def _numbers(ratings: Ratings) -> Array:
    """Return the table with a number for each category."""
    seen = {one for row in ratings.values for one in row if isinstance(one, str)}
    codes = {one: float(place) for place, one in enumerate(sorted(seen))}
    return np.array(
        [
            [np.nan if one is None else codes[one] if isinstance(one, str) else one for one in row]
            for row in ratings.values
        ]
    )


def _figure(
    coefficient: Coefficient, whole: Array, usable: Array, clusters: Sequence[str], samples: int
) -> Figure:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # samples that are all alike divide by zero
        value = coefficient(whole)
        if value is None:
            return Figure(None)
        bounds = interval(clusters, lambda rows: coefficient(usable[rows]), samples)
    return Figure(value, *(bounds or ()))


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _order(value: Value) -> tuple[bool, float, str]:
    return (isinstance(value, str), 0.0, value) if isinstance(value, str) else (False, value, "")


def to_table(found: Agreement) -> str:
    """Return lines to read."""
    before = (
        f"{len(found.raters)} raters: {', '.join(found.raters)}",
        f"{found.items:,} items rated by two or more, of {found.questions:,} questions",
    )
    rows = [
        (name, one.value, one.low, one.high, "" if one.value is not None else found.undefined)
        for name, one in found.figures.items()
    ]
    shares = ", ".join(f"{name} {share:.1%}" for name, share in found.prevalence.items())
    table = Table("coefficient", ("value", "95 % from", "to", ""), rows)
    return to_text([table], before, [f"prevalence: {shares}"], found.notes)
