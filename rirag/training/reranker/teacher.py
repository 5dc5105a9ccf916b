"""What another reranker says of the lists that a reranker learns from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rirag.training.runs.rows import Row
from search.rerankers import load_reranker

if TYPE_CHECKING:
    from rirag.training.runs.rounds import Report

TOLD_EVERY = 100
"""Lists between two lines of progress."""
SHARPNESSES = np.geomspace(0.01, 100, 81)
"""What scores may be multiplied by before the softmax."""


def taught(
    teacher: str, rows: Sequence[Row], texts: Sequence[str], folder: Path, report: Report
) -> NDArray[np.float32]:
    """Return the teacher's probability of each passage in its list, shape (rows, passages).

    The first passage of a list is the positive, and the others are the negatives. Scores become
    probabilities by a softmax whose sharpness is the one under which the positives are likeliest
    (temperature scaling: Guo et al. 2017, "On Calibration of Modern Neural Networks").

    Args:
        teacher: name of a reranker.
        rows: of one round, all with the same number of negatives.
        texts: of the passages, by their keys.
        folder: where scores are kept as they come, so that a killed run goes on.
        report: told how far it is.
    """
    scores = _scores(teacher, rows, texts, folder, report)
    return probabilities(scores, sharpness(scores))


def probabilities(scores: NDArray[np.float32], factor: float) -> NDArray[np.float32]:
    """Return the softmax of each list of scores times a factor."""
    logits = scores.astype(np.float64) * factor
    spread = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float32] = (spread / spread.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


def sharpness(scores: NDArray[np.float32]) -> float:
    """Return the factor under which the first of each list is likeliest."""
    likelihoods = [np.log(probabilities(scores, f)[:, 0] + 1e-12).mean() for f in SHARPNESSES]
    return float(SHARPNESSES[int(np.argmax(likelihoods))])


def _scores(
    teacher: str, rows: Sequence[Row], texts: Sequence[str], folder: Path, report: Report
) -> NDArray[np.float32]:
    lists = [(row.question, (row.positive, *row.negatives)) for row in rows]
    width = len(lists[0][1])
    path = folder / f"teacher-{_digest(teacher, lists)}.f32"
    done = path.stat().st_size // (4 * width) if path.exists() else 0
    if done < len(lists):
        reranker = load_reranker(teacher)
        with path.open("r+b" if done else "wb") as file:
            file.truncate(4 * width * done)
            file.seek(0, 2)
            for number, (question, keys) in enumerate(lists[done:], done):
                if number % TOLD_EVERY == 0:
                    report(f"{teacher}: list {number:,} of {len(lists):,}")
                file.write(reranker.score(question, [texts[key] for key in keys]).tobytes())
                file.flush()
    return np.fromfile(path, np.float32).reshape(-1, width)


def _digest(teacher: str, lists: Sequence[tuple[str, tuple[int, ...]]]) -> str:
    return hashlib.sha256(repr((teacher, lists)).encode()).hexdigest()[:16]
