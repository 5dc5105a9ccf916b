"""What another reranker says of the lists that a model learns from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rirag.training.runs.record import teacher_hash
from rirag.training.runs.rows import Row
from rirag.training.runs.teacher_scores import Pair, TeacherScores, digest
from search.models.rerankers import load_reranker
from search.models.rerankers.protocol import Reranker

if TYPE_CHECKING:
    from rirag.training.runs.rounds import Report

Shares = NDArray[np.float32]

TOLD_EVERY = 1_000
"""Passages that are scored between two lines of progress."""
SHARPNESSES = np.geomspace(0.01, 100, 81)
"""What scores may be multiplied by before the softmax."""


class Teacher(NamedTuple):
    """A reranker that others learn from."""

    name: str
    """Empty: there is none."""
    scores: Path
    """File of what it said; see `TeacherScores`."""

    def wanted(self, rows: Sequence[Row], texts: Sequence[str], report: Report) -> Shares | None:
        """Return the wanted share of each passage of each list, shape (rows, passages).

        It is the mean of what the questions say, equal shares for all known answers, and of what
        the teacher says (Hinton et al. 2015, "Distilling the Knowledge in a Neural Network",
        section 2). The teacher's scores become shares by a softmax whose sharpness is the one under
        which the answers are likeliest (temperature scaling: Guo et al. 2017, "On Calibration of
        Modern Neural Networks").

        Args:
            rows: of one round, all with the same number of passages.
            texts: of the passages, by their keys.
            report: told how far it is.

        Returns:
            None if there is no teacher.
        """
        if not self.name:
            return None
        lists = [[(row.question, texts[key]) for key in row.passages] for row in rows]
        scores = self._scores(lists, report)
        answers = answer_shares(rows)
        said = probabilities(scores, sharpness(scores, answers))
        wanted: Shares = ((answers + said) / 2).astype(np.float32)
        return wanted

    def _scores(self, lists: Sequence[Sequence[Pair]], report: Report) -> Shares:
        """Return the teacher's score of each pair, shape (lists, pairs); ask for what is new."""
        with TeacherScores.open(self.scores, self._identity()) as kept:
            known = kept.known()
            missing = {pair for one in lists for pair in one if digest(pair) not in known}
            for said in self._said_of(missing, report):
                kept.add(said)
                known |= said
        return np.array([[known[digest(pair)] for pair in one] for one in lists], np.float32)

    def _said_of(self, missing: AbstractSet[Pair], report: Report) -> Iterator[dict[bytes, float]]:
        """Yield scores as they come, by the digests of their pairs."""
        if not missing:
            return
        pairs, done = sorted(missing), 0
        for places, scores in _in_parts(load_reranker(self.name), pairs):
            yield dict(zip((digest(pairs[one]) for one in places), scores.tolist(), strict=True))
            before, done = done, done + len(places)
            if before // TOLD_EVERY < done // TOLD_EVERY:
                report(f"{self.name}: {done:,} of {len(pairs):,} passages")

    def _identity(self) -> str:
        """Return name and hash of the weights: a folder may be trained anew."""
        return " ".join(teacher_hash(self.name).values()).strip()


def answer_shares(rows: Sequence[Row]) -> Shares:
    """Return equal shares for all known answers of each list, shape (rows, passages)."""
    answers = np.array([[key in row.known for key in row.passages] for row in rows], np.float32)
    answers[:, 0] = 1.0  # the positive, whatever is known
    shares: Shares = answers / answers.sum(axis=1, keepdims=True)
    return shares


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
        (answers * np.log(probabilities(scores, factor) + 1e-12)).sum(axis=1).mean()
        for factor in SHARPNESSES
    ]
    return float(SHARPNESSES[int(np.argmax(likelihoods))])


def _in_parts(
    reranker: Reranker, pairs: Sequence[Pair]
) -> Iterator[tuple[Sequence[int], NDArray[np.float32]]]:
    """Yield places of some pairs and their scores, until all have theirs.

    Args:
        reranker: reads the passages of a question together.
        pairs: those of a question one after the other.
    """
    for question, group in groupby(range(len(pairs)), key=lambda place: pairs[place][0]):
        places = list(group)
        yield places, reranker.score(question, [pairs[place][1] for place in places])
