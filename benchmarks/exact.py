"""Nearest neighbours without any shortcut, over random vectors that are made again on the way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.random_encoder import random_vectors
from search.engines.protocol import Engine, RetrievalRequest
from search.engines.servers.records import ROWS_A_DOCUMENT
from search.engines.servers.searching.engine import ServerEngine
from search.models.encoders.protocol import Vectors
from search.records import Key

DEPTH = 100


def place_of_key(engine: Engine) -> Callable[[Key], int]:
    """Return what turns keys into places in the index, for an index that was loaded at once."""
    if not isinstance(engine, ServerEngine):
        return int
    counts = [document.passages for document in engine.documents()]
    first = np.concatenate([[0], np.cumsum(counts)])
    return lambda key: int(first[int(key) // ROWS_A_DOCUMENT]) + int(key) % ROWS_A_DOCUMENT


def neighbours_of(engine: Engine, vector: np.ndarray, place: Callable[[Key], int]) -> list[int]:
    """Return the places of what the dense retriever proposes."""
    return [place(one.key) for one in engine.run(RetrievalRequest(vector=vector)).dense]


def exact_neighbours(questions: Vectors, size: int, batch: int) -> list[list[int]]:
    """Return the nearest rows of each question by a float32 dot product.

    Args:
        questions: unit vectors, shape (questions, dimension).
        size: how many vectors the index holds.
        batch: how many were made at a time, seeded with the row of the first.
    """
    scores = np.empty((len(questions), 0), np.float32)
    rows = np.empty((len(questions), 0), np.int64)
    for first in range(0, size, batch):
        vectors = random_vectors(min(batch, size - first), first)
        here = np.broadcast_to(np.arange(first, first + len(vectors)), (len(rows), len(vectors)))
        scores = np.hstack([scores, questions @ vectors.T])
        rows = np.hstack([rows, here])
        best = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
        scores = np.take_along_axis(scores, best, axis=1)
        rows = np.take_along_axis(rows, best, axis=1)
    return rows.tolist()
