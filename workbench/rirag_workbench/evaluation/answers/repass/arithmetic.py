"""The arithmetic of RePASs, on probabilities that models gave.

After `scripts/evaluate_model.py` of RegNLP/RePASs: every passage sentence is a premise, every
answer sentence a hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COVERS = 0.7
"""An answer sentence covers an obligation if the label is entailment and its score is above."""

DIGITS = 5
"""Decimals to which Es and Cs of an answer are rounded."""


@dataclass(frozen=True, slots=True)
class Scores:
    """RePASs of one answer, or means over several."""

    entailment: float
    """Es, 0 to 1."""
    contradiction: float
    """Cs, 0 to 1."""
    coverage: float
    """OCs, 0 to 1."""

    @property
    def composite(self) -> float:
        """RePASs, 0 to 1."""
        return (self.entailment - self.contradiction + self.coverage + 1) / 3


def strongest(probabilities: NDArray[np.floating]) -> float:
    """Return the mean over answer sentences of the highest probability of any passage sentence.

    Args:
        probabilities: shape (passage sentences, answer sentences).

    Returns:
        Rounded to `DIGITS`; 0 where there is no sentence.
    """
    if probabilities.size == 0:
        return 0.0
    return float(np.round(np.mean(np.max(probabilities, axis=0)), DIGITS))


def obligation_coverage(verdicts: Sequence[Iterable[tuple[str, float]]]) -> float:
    """Return the share of obligations that some answer sentence covers; 0 where there are none.

    Args:
        verdicts: for each obligation of the passages the label and score of each answer sentence.
    """
    if not verdicts:
        return 0.0
    covered = sum(
        any(label == "entailment" and score > COVERS for label, score in one) for one in verdicts
    )
    return covered / len(verdicts)


def mean_of(scores: Sequence[Scores]) -> Scores:
    """Return the means over at least one answer; the composite of means is the mean composite."""
    count = len(scores)
    return Scores(
        math.fsum(one.entailment for one in scores) / count,
        math.fsum(one.contradiction for one in scores) / count,
        math.fsum(one.coverage for one in scores) / count,
    )
