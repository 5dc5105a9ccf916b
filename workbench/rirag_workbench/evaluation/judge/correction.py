"""The share of good answers, corrected for the errors of the judge.

A judge who calls some bad answers good and some good ones bad gives a biased share. With its
specificity q₀ and sensitivity q₁ measured on answers that are known, θ = (p + q₀ − 1)/(q₀ + q₁ − 1)
(Rogan and Gladen, 1978; for language models arXiv 2511.21140), with the delta method's interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Z = 1.959964
"""Of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """How many of some."""

    yes: int
    of: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None of nothing."""
        return self.yes / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected share of good answers."""

    share: float
    low: float
    high: float


def corrected(
    judged_good: Proportion, specificity: Proportion, sensitivity: Proportion
) -> Corrected | None:
    """Return the share of answers that are good.

    Args:
        judged_good: of the answers.
        specificity: bad answers that the judge calls bad.
        sensitivity: good answers that the judge calls good.

    Returns:
        None where the judge was not measured, or is no better than a coin.
    """
    p, q0, q1 = judged_good.share, specificity.share, sensitivity.share
    if p is None or q0 is None or q1 is None or q0 + q1 <= 1:
        return None
    gain = q0 + q1 - 1
    share = min(1.0, max(0.0, (p + q0 - 1) / gain))
    variance = (
        _variance(judged_good)
        + (1 - share) ** 2 * _variance(specificity)
        + share**2 * _variance(sensitivity)
    ) / gain**2
    margin = Z * math.sqrt(variance)
    return Corrected(share, max(0.0, share - margin), min(1.0, share + margin))


def _variance(one: Proportion) -> float:
    """Return the variance of a share, after Agresti and Coull: none of few is not never."""
    count = one.of + 2
    share = (one.yes + 1) / count
    return share * (1 - share) / count
