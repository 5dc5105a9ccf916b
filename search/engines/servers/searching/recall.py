"""How many of the true nearest vectors the dense leg finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.engines.protocol import LegRequest, LegResults
from search.engines.servers.connection.client import Body, Client
from search.engines.servers.generations.stored import Generation
from search.engines.servers.records import ROWS_A_DOCUMENT
from search.engines.servers.searching import queries
from search.engines.servers.searching.answers import hits_in
from search.engines.servers.searching.reading import in_order, multi_search

PAGE = 500
"""Vectors of one answer: some 4 MB."""
AT_ONCE = 10
"""Questions of one request."""
EQUAL = 1e-6
"""Cosines that are no further apart than this are the same to a float32."""

Run = Callable[[LegRequest], LegResults]
Vectors = NDArray[np.float32]
_HAS_VECTOR: Body = {"exists": {"field": "vector"}}


def measured_recall(
    client: Client, generation: Generation, run: Run, questions: int, depth: int
) -> float:
    """Return the mean overlap of the dense leg with a comparison of every vector, 0 to 1.

    Args:
        client: of the server.
        generation: what is searched.
        run: runs the legs of a question.
        questions: how many stored vectors, spread over the index, are asked for.
        depth: how many nearest vectors are compared.
    """
    asked = _questions(client, generation, questions)
    if not len(asked):
        return 1.0
    found = [
        [int(one.key) for one in run(LegRequest(vector=vector, depth=depth)).dense]
        for vector in asked
    ]
    best = np.full((len(asked), depth), -np.inf, np.float32)
    cosines: list[dict[int, float]] = [{} for _ in asked]
    for rows, vectors in _all_vectors(client, generation):
        scores = asked @ vectors.T
        best = np.sort(np.concatenate([best, scores], axis=1), axis=1)[:, -depth:]
        for number, hits in enumerate(found):
            here = np.flatnonzero(np.isin(rows, hits))
            cosines[number] |= {int(rows[i]): float(scores[number, i]) for i in here}
    shares = [
        _share(best[number], [mine[row] for row in hits if row in mine])
        for number, (hits, mine) in enumerate(zip(found, cosines, strict=True))
    ]
    return float(np.mean(shares))


def _share(best: Vectors, found: Sequence[float]) -> float:
    """Return which share of the best is found; what ties with the last of them is as good."""
    wanted = best[np.isfinite(best)]
    good = sum(cosine >= wanted.min() - EQUAL for cosine in found)
    return float(min(good / len(wanted), 1.0))


def _questions(client: Client, generation: Generation, count: int) -> Vectors:
    """Return vectors of passages at equal distances, shape (questions, dimension)."""
    lines: list[Body] = []
    for row in _spread(client, generation, count):
        body = queries.in_order([_HAS_VECTOR], 1, ("row", "vector"), after=row - 1)
        lines += [queries.header(generation.passages), body]
    vectors = []
    for start in range(0, len(lines), 2 * AT_ONCE):
        for answer in multi_search(client, lines[start : start + 2 * AT_ONCE]):
            vectors += [hit["_source"]["vector"] for hit in hits_in(answer)]
    return _unit(vectors, generation.manifest.encoder_dimension)


def _spread(client: Client, generation: Generation, count: int) -> Iterator[int]:
    """Yield rows at equal distances, as if the passages of all documents were in one line."""
    wanted = np.linspace(0, generation.manifest.passages, count, endpoint=False).astype(int)
    before, left = 0, [int(place) for place in np.unique(wanted)]
    for page in in_order(client, generation.documents, ("row", "passages")):
        for document in page:
            after = before + document["passages"]
            while left and left[0] < after:
                yield document["row"] * ROWS_A_DOCUMENT + left.pop(0) - before
            before = after


def _all_vectors(
    client: Client, generation: Generation
) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
    """Yield rows and unit vectors of the whole index, page by page."""
    pages = in_order(client, generation.passages, ("row", "vector"), [_HAS_VECTOR], page=PAGE)
    for page in pages:
        rows = np.array([one["row"] for one in page], np.int64)
        vectors = [one["vector"] for one in page]
        yield rows, _unit(vectors, generation.manifest.encoder_dimension)


def _unit(vectors: list[Any], dimension: int) -> Vectors:
    array = np.array(vectors, np.float32).reshape(len(vectors), dimension)
    return np.asarray(array / np.linalg.norm(array, axis=1, keepdims=True), np.float32)
