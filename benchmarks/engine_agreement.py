"""How far a server's retrievers find what the embedded engine and an exact scan find."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import search
from benchmarks.engine_load import stored_vectors
from benchmarks.figures import Figure
from search.candidates import Candidates
from search.engines.protocol import Engine, RetrievalRequest
from search.ranking.profile_file import load_profile

LEAST_LEXICAL, LEAST_DENSE = 0.98, 0.99
LEXICAL_DEPTH, DENSE_DEPTH = 10, 100


def agreement(
    embedded: search.Index, other: search.Index, questions: Sequence[str]
) -> list[Figure]:
    """Compare the lexical retriever with the embedded one, the dense one with exact cosine."""
    ids, vectors = stored_vectors(embedded)
    lexical, dense = [], []
    for question in questions:
        request = embedded.pipeline.prepare(question, load_profile("default"), None).request
        theirs = other.pipeline.engine.run(request)
        ours = embedded.pipeline.engine.run(request)
        lexical.append(_lexical_overlap(embedded, ours.lexical, other, theirs.lexical))
        dense.append(_dense_overlap(request, ids, vectors, other.pipeline.engine, theirs.dense))
    return [
        Figure("BM25, top 10 as embedded", _mean(lexical), "", LEAST_LEXICAL, True),
        Figure("vectors, top 100 as exact", _mean(dense), "", LEAST_DENSE, True),
        Figure("  least of a question", min(dense)),
    ]


def _lexical_overlap(
    embedded: search.Index,
    ours: Candidates,
    other: search.Index,
    theirs: Candidates,
) -> float:
    best = _ids(embedded.pipeline.engine, ours.keys[:LEXICAL_DEPTH])
    found = _ids(other.pipeline.engine, theirs.keys[:LEXICAL_DEPTH])
    return len(best & found) / max(1, len(best))


def _dense_overlap(
    request: RetrievalRequest,
    ids: Sequence[str],
    vectors: np.ndarray,
    engine: Engine,
    found: Candidates,
) -> float:
    """Count what is among the exact best, or as near as the last of them (equal texts tie)."""
    cosines = vectors @ request.vector
    last = np.partition(cosines, -DENSE_DEPTH)[-DENSE_DEPTH] if len(cosines) > DENSE_DEPTH else -1
    near = {ids[row] for row in np.flatnonzero(cosines >= last - 1e-6).tolist()}
    return len(_ids(engine, found.keys[:DENSE_DEPTH]) & near) / min(DENSE_DEPTH, len(ids))


def _ids(engine: Engine, keys: np.ndarray) -> set[str]:
    return {passage.id for passage in engine.passages(keys.tolist())}


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))
