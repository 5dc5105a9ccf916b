"""Agreement: equal to published libraries on the same ratings, to four digits."""

from __future__ import annotations

import numpy as np
import pytest
from extras import require

from rirag_workbench.evaluation.agreement import (
    COEFFICIENTS,
    cohen_kappa,
    gwet_ac1,
    kendall_tau,
    krippendorff_nominal,
    krippendorff_ordinal,
    percent_agreement,
)

PUBLISHED = """
    44 11 12 11 31 34 34 32 11 12 23 22 42 21 22 11 31 33 11 12 23 23 14 33 42 22 33 23 11 43
"""
THREE = """
    133 111 112 2.. .22 11. 112 222 122 232 .33 3.3 1.. 133 222 3.3 313 111 33. 3.3 33. 111 13.
    2.2 22.
"""
TWO = """
    22 22 11 11 12 11 22 12 12 11 11 11 11 12 22 11 11 12 22 21 11 22 11 11 21 11 22 11 11 22 11
    11 11 12 11 11 22 11 22 11
"""
# Computed with irrCAC 0.4.4, which needs NumPy 1: AC1, nominal α, percent agreement.
IRRCAC = {
    PUBLISHED: (0.250918, 0.237262, 0.433333),
    THREE: (0.630607, 0.592857, 0.753623),
    TWO: (0.633028, 0.565934, 0.8),
}

KRIPPENDORFF = """
    11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 .3..
"""
"""Krippendorff (2011), example C: four observers, twelve units."""


def table(text: str) -> np.ndarray:
    return np.array([[np.nan if one == "." else float(one) for one in row] for row in text.split()])


@pytest.mark.parametrize("text", IRRCAC, ids=["four values", "with gaps", "two values"])
def test_ac1_alpha_and_percent_are_those_of_irrcac(text: str) -> None:
    ac1, alpha, percent = IRRCAC[text]
    assert gwet_ac1(table(text)) == pytest.approx(ac1, abs=5e-5)
    assert krippendorff_nominal(table(text)) == pytest.approx(alpha, abs=5e-5)
    assert percent_agreement(table(text)) == pytest.approx(percent, abs=5e-5)


def test_alpha_is_that_of_its_author() -> None:
    assert krippendorff_nominal(table(KRIPPENDORFF)) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_ordinal(table(KRIPPENDORFF)) == pytest.approx(0.815, abs=5e-4)


@pytest.mark.torch
@pytest.mark.parametrize("text", [PUBLISHED, TWO], ids=["four values", "two values"])
def test_kappa_is_that_of_scikit_learn(text: str) -> None:
    metrics = require("sklearn.metrics")
    one, other = table(text).T
    assert cohen_kappa(table(text)) == pytest.approx(metrics.cohen_kappa_score(one, other))


def test_tau_b_handles_ties() -> None:
    ratings = np.array([[1, 1], [2, 2], [2, 3], [3, 3.0]])
    # Concordant 4, discordant 0, tied in one only 1 each: 4 / sqrt(5 · 5).
    assert kendall_tau(ratings) == pytest.approx(4 / 5)


def test_of_three_raters_pairs_are_averaged() -> None:
    whole = table(THREE)
    pairs = [whole[:, [0, 1]], whole[:, [0, 2]], whole[:, [1, 2]]]
    shared = [pair[~np.isnan(pair).any(axis=1)] for pair in pairs]
    assert cohen_kappa(whole) == pytest.approx(np.mean([cohen_kappa(one) for one in shared]))


def test_high_agreement_on_skewed_ratings_has_no_kappa_but_an_ac1() -> None:
    skewed = np.array([[1, 1]] * 87 + [[1, 0]] * 6 + [[0, 1]] * 7, dtype=float)
    assert percent_agreement(skewed) == pytest.approx(0.87)
    assert cohen_kappa(skewed) == pytest.approx(-0.069, abs=1e-3)
    assert gwet_ac1(skewed) == pytest.approx(0.852012, abs=5e-5)


def test_ratings_that_are_all_alike_leave_all_but_the_share_undefined() -> None:
    alike = np.ones((5, 2))
    found = {name: of(alike) for name, of in COEFFICIENTS.items()}
    assert found.pop("percent agreement") == 1
    assert set(found.values()) == {None}
