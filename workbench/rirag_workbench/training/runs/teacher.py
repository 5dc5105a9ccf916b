"""The scores of another reranker for the lists that a model learns from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.training.runs.rows import Row
from search.models.rerankers import load_reranker

if TYPE_CHECKING:
    from rirag_workbench.training.runs.rounds import Report


Shares = NDArray[np.float32]

REPORT_EVERY = 200
"""Lists that are scored between two lines of progress."""
NOTHING = 1e-12
"""Stands for a share of zero, which has no logarithm."""
SHARPNESSES = np.geomspace(0.01, 100, 81)
"""Factors that are tried on the scores before the softmax."""


def taught(name: str, rows: Sequence[Row], texts: Sequence[str], report: Report) -> list[Row]:
    """Return rows with the shares that a teacher wants of their passages.

    They are the mean of equal shares for all known answers and of the teacher's shares (Hinton et
    al. 2015, "Distilling the Knowledge in a Neural Network", section 2). The teacher's scores
    become shares by the softmax under which the answers are likeliest (temperature scaling: Guo et
    al. 2017, "On Calibration of Modern Neural Networks").
    """
    reranker = load_reranker(name)
    found = []
    for number, row in enumerate(rows):
        if number % REPORT_EVERY == 0:
            report(f"{name}: {number:,} of {len(rows):,} lists")
        found.append(reranker.score(row.question, [texts[key] for key in row.passages]))
    scores, answers = np.array(found, np.float32), answer_shares(rows)
    wanted = (answers + probabilities(scores, sharpness(scores, answers))) / 2
    return [
        replace(row, shares=tuple(shares))
        for row, shares in zip(rows, wanted.tolist(), strict=True)
    ]


def answer_shares(rows: Sequence[Row]) -> Shares:
    """Return equal shares for all known answers of each list, shape (rows, passages)."""
    answers = np.array([[key in row.known for key in row.passages] for row in rows], np.float32)
    answers[:, 0] = 1.0  # the positive, whatever is known
    shares: Shares = answers / answers.sum(axis=1, keepdims=True)
    return shares


def logarithms(shares: Sequence[float]) -> list[float]:
    """Return labels whose softmax are the shares, as the losses of the library take them."""
    return [math.log(share + NOTHING) for share in shares]


def probabilities(scores: Shares, factor: float) -> Shares:
    """Return the softmax of each list of scores times a factor."""
    logits = scores.astype(np.float64) * factor
    spread = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Shares = (spread / spread.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def sharpness(scores: Shares, answers: Shares) -> float:
    """Return the factor under which the answers are likeliest.

    Args:
        scores: shape (lists, passages).
        answers: shares of the answers, each list's adding up to 1; of the same shape.
    """
    likelihoods = [
        (answers * np.log(probabilities(scores, factor) + NOTHING)).sum(axis=1).mean()
        for factor in SHARPNESSES
    ]
    return float(SHARPNESSES[int(np.argmax(likelihoods))])
