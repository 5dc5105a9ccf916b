"""The scores of another reranker for the lists that a model learns from."""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.training.runs.rows import Row
from search.errors import StorageError
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


class Teacher(NamedTuple):
    """A reranker that others learn from."""

    name: str
    work: Path
    """Folder of the run, which keeps the scores; see `TeacherScores`."""

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

        Args:
            rows: of one round, all with the same number of passages.
            texts: of the passages, by their keys.
            report: called with the progress.
        """
        lists = [[(row.question, texts[key]) for key in row.passages] for row in rows]
        scores = self._scores(lists, report)
        answers = answer_shares(rows)
        taught = probabilities(scores, sharpness(scores, answers))
        wanted: Shares = ((answers + taught) / 2).astype(np.float32)
        return wanted

    def _scores(self, lists: Sequence[Sequence[Pair]], report: Report) -> Shares:
        """Return the score of each pair, shape (lists, pairs); only new pairs are scored."""
        with TeacherScores.open(self.work) as kept:
            known = kept.known()
            missing = {pair for one in lists for pair in one if digest(pair) not in known}
            for scored in self._scored(missing, report):
                kept.add(scored)
                known |= scored
        return np.array([[known[digest(pair)] for pair in one] for one in lists], np.float32)

    def _scored(self, pairs: AbstractSet[Pair], report: Report) -> Iterator[dict[bytes, float]]:
        """Yield the scores of the passages of each question, by the digests of the pairs."""
        if not pairs:
            return
        reranker, done = load_reranker(self.name), 0
        for question, group in groupby(sorted(pairs), key=lambda pair: pair[0]):
            these = list(group)
            scores = reranker.score(question, [text for _, text in these])
            yield dict(zip(map(digest, these), scores.tolist(), strict=True))
            before, done = done, done + len(these)
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


SCORES_FILE = "teacher.sqlite"
"""Its name in the working folder of a run."""

Pair = tuple[str, str]
"""Question and text of a passage."""


class TeacherScores:
    """Scores of the teacher of a run; they survive `kill -9`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, work: Path) -> Iterator[TeacherScores]:
        """Open or create the file in the working folder of a run.

        Raises:
            StorageError: it cannot be read or written.
        """
        connection = sqlite3.connect(work / SCORES_FILE)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS scores (pair BLOB PRIMARY KEY, score REAL) "
                "WITHOUT ROWID"
            )
            yield cls(connection)
        except sqlite3.Error as error:
            raise StorageError(
                f"the scores of the teacher cannot be stored in {work / SCORES_FILE} ({error}); "
                "free some space or delete the file, and continue with --resume"
            ) from error
        finally:
            connection.close()

    def known(self) -> dict[bytes, float]:
        """Return all scores, by `digest` of the pair."""
        return dict(self._connection.execute("SELECT pair, score FROM scores").fetchall())

    def add(self, scores: Mapping[bytes, float]) -> None:
        """Store scores, by `digest` of the pair: all of them or none."""
        with self._connection:
            self._connection.executemany("INSERT INTO scores VALUES (?, ?)", scores.items())


def digest(pair: Pair) -> bytes:
    """Return the key of a pair."""
    return hashlib.sha256("\0".join(pair).encode()).digest()[:16]
