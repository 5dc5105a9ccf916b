"""Coefficients of agreement over a table of ratings.

Each takes shape (items, raters), with NaN where nothing was rated, and returns None where it is not
defined. Krippendorff's α is that of the library `krippendorff`, Kendall's τ-b that of SciPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]
Coefficient = Callable[[Table], float | None]


def percent_agreement(table: Table) -> float | None:
    """Return the share of pairs of raters that agree, mean over the items rated by two or more."""
    counts = _counts(table)
    rated = counts.sum(axis=1)
    usable = rated >= 2
    if not usable.any():
        return None
    n, agreeing = rated[usable], counts[usable]
    return float(np.mean((agreeing * (agreeing - 1)).sum(axis=1) / (n * (n - 1))))


def cohen_kappa(table: Table) -> float | None:
    """Return Cohen's κ; of more than two raters the mean over the pairs for which it is defined.

    It is not defined where two raters gave one and the same rating to everything.
    """
    return _mean_of_pairs(table, _kappa_of_pair)


def _kappa_of_pair(one: Table, other: Table) -> float | None:
    values = np.unique(np.concatenate([one, other]))
    observed = float(np.mean(one == other))
    expected = float(sum(np.mean(one == value) * np.mean(other == value) for value in values))
    return None if np.isclose(expected, 1) else (observed - expected) / (1 - expected)


def kendall_tau(table: Table) -> float | None:
    """Return Kendall's τ-b; of more than two raters the mean over the pairs that have it."""
    from scipy.stats import kendalltau

    def of_pair(one: Table, other: Table) -> float | None:
        if len(np.unique(one)) < 2 or len(np.unique(other)) < 2:
            return None
        return float(kendalltau(one, other, variant="b").statistic)

    return _mean_of_pairs(table, of_pair)


def krippendorff_nominal(table: Table) -> float | None:
    """Return Krippendorff's α of categories."""
    return _krippendorff(table, "nominal")


def krippendorff_ordinal(table: Table) -> float | None:
    """Return Krippendorff's α of ranks."""
    return _krippendorff(table, "ordinal")


def _krippendorff(table: Table, level: str) -> float | None:
    import krippendorff

    paired = table[(~np.isnan(table)).sum(axis=1) >= 2]
    if len(np.unique(paired[~np.isnan(paired)])) < 2:
        return None
    return float(krippendorff.alpha(reliability_data=paired.T, level_of_measurement=level))


def gwet_ac1(table: Table) -> float | None:
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


def _counts(table: Table) -> NDArray[np.int64]:
    """Return how many raters gave an item each value, shape (items, values)."""
    values = np.unique(table[~np.isnan(table)])
    counts: NDArray[np.int64] = (table[:, :, None] == values).sum(axis=1)
    return counts


def _mean_of_pairs(table: Table, of_pair: Callable[[Table, Table], float | None]) -> float | None:
    found = []
    for one, other in combinations(table.T, 2):
        both = ~np.isnan(one) & ~np.isnan(other)
        value = of_pair(one[both], other[both]) if both.any() else None
        if value is not None:
            found.append(value)
    return float(np.mean(found)) if found else None
