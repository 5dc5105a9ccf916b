"""The scores of another reranker for the lists that a model learns from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.evaluation.cache import Cache, key_of
from rirag_workbench.training.runs.rows import Row
from search.models.rerankers import load_reranker

if TYPE_CHECKING:
    from rirag_workbench.training.runs.rounds import Report


Shares = NDArray[np.float32]

REPORT_EVERY = 1_000
"""Passages that are scored between two lines of progress."""
NOTHING = 1e-12
"""Stands for a share of zero, which has no logarithm."""
SHARPNESSES = np.geomspace(0.01, 100, 81)
"""Factors that are tried on the scores before the softmax."""


SCORES_FILE = "teacher.jsonl"
"""Its name in the working folder of a run."""

Pair = tuple[str, str]
"""Question and text of a passage."""


class Teacher(NamedTuple):
    """A reranker that others learn from."""

    name: str
    work: Path
    """Folder of the run, which keeps the scores."""

    @classmethod
    def of(cls, name: str, work: Path) -> Self | None:
        """Return the teacher of a run; None if its settings name none."""
        return cls(name, work) if name else None

    def wanted(self, rows: Sequence[Row], texts: Sequence[str], report: Report) -> Shares:
        """Return the wanted share of each passage of each list, shape (rows, passages).

        It is the mean of equal shares for all known answers and of the teacher's shares (Hinton et
        al. 2015, "Distilling the Knowledge in a Neural Network", section 2). The teacher's scores
        become shares by the softmax under which the answers are likeliest (temperature scaling:
        Guo et al. 2017, "On Calibration of Modern Neural Networks").
        """
        lists = [[(row.question, texts[key]) for key in row.passages] for row in rows]
        scores = self._scores(lists, report)
        answers = answer_shares(rows)
        taught = probabilities(scores, sharpness(scores, answers))
        wanted: Shares = ((answers + taught) / 2).astype(np.float32)
        return wanted

    def _scores(self, lists: Sequence[Sequence[Pair]], report: Report) -> Shares:
        """Return the score of each pair, shape (lists, pairs); only new pairs are scored.

        They are kept pair by pair, and so survive `kill -9`.
        """
        problem = "this file has no scores of a teacher; delete it, and continue with --resume."
        kept = Cache(self.work / SCORES_FILE, "score", problem, "training.other-run")
        every = {pair for one in lists for pair in one}
        missing = sorted(pair for pair in every if kept.get(key_of(self.name, (), pair)) is None)
        if missing:
            self._score(missing, kept, report)
        found = [[kept.get(key_of(self.name, (), pair)) for pair in one] for one in lists]
        return np.array(found, np.float32)

    def _score(self, pairs: Sequence[Pair], kept: Cache, report: Report) -> None:
        reranker, done = load_reranker(self.name), 0
        for question, group in groupby(pairs, key=lambda pair: pair[0]):
            texts = [text for _, text in group]
            for text, score in zip(texts, reranker.score(question, texts).tolist(), strict=True):
                kept.put(key_of(self.name, (), (question, text)), score)
            before, done = done, done + len(texts)
            if before // REPORT_EVERY < done // REPORT_EVERY:
                report(f"{self.name}: {done:,} of {len(pairs):,} passages")


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
