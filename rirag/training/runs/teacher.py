"""What another reranker says of the lists that a model learns from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rirag.training.runs.rows import Row
from search.rerankers import load_reranker
from search.rerankers.protocol import Reranker
from search.rerankers.query_likelihood import PREFIX as QUERY_LIKELIHOOD
from search.rerankers.query_likelihood import QueryLikelihoodReranker

if TYPE_CHECKING:
    from rirag.training.runs.rounds import Report

TOLD_EVERY = 1_000
"""Passages that are scored between two lines of progress."""
_PASSAGE, _QUESTION = 0, 1
"""Places in a pair."""
SHARPNESSES = np.geomspace(0.01, 100, 81)
"""What scores may be multiplied by before the softmax."""


def taught(
    teacher: str, rows: Sequence[Row], texts: Sequence[str], folder: Path, report: Report
) -> NDArray[np.float32] | None:
    """Return the teacher's probability of each passage in its list, shape (rows, passages).

    The first passage of a list is the positive, and the others are the negatives. Scores become
    probabilities by a softmax whose sharpness is the one under which the positives are likeliest
    (temperature scaling: Guo et al. 2017, "On Calibration of Modern Neural Networks").

    Args:
        teacher: name of a reranker; empty: there is none, and None is returned.
        rows: of one round, all with the same number of negatives.
        texts: of the passages, by their keys.
        folder: where scores are kept as they come, so that a killed run goes on.
        report: told how far it is.
    """
    if not teacher:
        return None
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
    """Return the teacher's score of each passage of each row, shape (rows, passages)."""
    lists = [(row.question, (row.positive, *row.negatives)) for row in rows]
    path = folder / f"teacher-{_digest(teacher, lists)}.f32"
    # A language model reads each passage once for all its questions; others read lists.
    shared = _PASSAGE if teacher.startswith(f"{QUERY_LIKELIHOOD}:") else _QUESTION
    pairs = sorted(
        {(key, question) for question, keys in lists for key in keys},
        key=lambda pair: (pair[shared], pair),
    )
    done = path.stat().st_size // 4 if path.exists() else 0
    if done < len(pairs):
        reranker = load_reranker(teacher)
        with path.open("r+b" if done else "wb") as file:
            file.truncate(4 * done)
            file.seek(0, 2)
            for _, group in groupby(pairs[done:], key=lambda pair: pair[shared]):
                some = list(group)
                file.write(_score(reranker, some, texts).tobytes())
                file.flush()
                before, done = done, done + len(some)
                if before // TOLD_EVERY < done // TOLD_EVERY:
                    report(f"{teacher}: {done:,} of {len(pairs):,} passages")
    scores = dict(zip(pairs, np.fromfile(path, np.float32).tolist(), strict=True))
    return np.array(
        [[scores[key, question] for key in keys] for question, keys in lists], np.float32
    )


def _score(
    reranker: Reranker, pairs: Sequence[tuple[int, str]], texts: Sequence[str]
) -> NDArray[np.float32]:
    """Return the scores of pairs that share a passage or a question, shape (pairs,)."""
    keys, questions = zip(*pairs, strict=True)
    if isinstance(reranker, QueryLikelihoodReranker):
        return reranker.score_questions(texts[keys[0]], questions)
    return reranker.score(questions[0], [texts[key] for key in keys])


def _digest(teacher: str, lists: Sequence[tuple[str, tuple[int, ...]]]) -> str:
    return hashlib.sha256(repr((teacher, lists)).encode()).hexdigest()[:16]
