"""What the legs propose for a question, as features that every fusion weight can be tried on."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search import fusion

Array = NDArray[np.float64]

CUTOFF = 10
"""Recall and average precision are taken at this depth, as in the ObliQA paper."""


@dataclass(frozen=True, slots=True)
class LegSample:
    """One question with its gold and the raw candidates of its legs."""

    question_id: str
    """Keyword versions carry the ID of the question they were made from."""
    words: int
    """Length of the question in words, as search counts it."""
    relevant: AbstractSet[str]
    """IDs of the relevant passages, found or not; at least one."""
    lexical: Mapping[str, float]
    """Passage ID → BM25, best 100."""
    dense: Mapping[str, float]
    """Passage ID → cosine, best 100."""
    documents: Mapping[str, float]
    """Document ID → BM25 of the whole document, for the documents retrieved."""
    document_of: Mapping[str, str]
    """Passage ID → document ID, for every candidate."""


@dataclass(frozen=True, slots=True)
class Features:
    """The candidates of one question; arrays of shape (candidates,), all 0 to 1."""

    lexical: Array
    dense: Array
    document: Array
    relevant: NDArray[np.bool_]
    total: int
    """Relevant passages in all, whether candidates or not."""


def min_max(scores: Mapping[str, float]) -> dict[str, float]:
    """Normalise the scores of one leg for one question to 0..1, by the rules of search."""
    return dict(zip(scores, fusion.min_max(list(scores.values())), strict=True))


def features(sample: LegSample) -> Features:
    """Return normalised scores for the union of both legs; what a leg did not propose has 0."""
    candidates = list(dict.fromkeys([*sample.lexical, *sample.dense]))
    lexical, dense = min_max(sample.lexical), min_max(sample.dense)
    documents = min_max(sample.documents)
    return Features(
        lexical=np.array([lexical.get(key, 0.0) for key in candidates]),
        dense=np.array([dense.get(key, 0.0) for key in candidates]),
        document=np.array([documents.get(sample.document_of[key], 0.0) for key in candidates]),
        relevant=np.array([key in sample.relevant for key in candidates], dtype=np.bool_),
        total=len(sample.relevant),
    )


def qualities(found: Features, alphas: Array, weights: Array) -> Array:
    """Return recall and average precision of every fusion of one question's candidates.

    Fused score: `(1 - w) (α lexical + (1 - α) dense) + w document` (BDD-FinLegal, equation 1;
    RIRAG, appendix A.7).

    Args:
        found: the candidates.
        alphas: lexical weights, shape (A,).
        weights: document weights, shape (W,).

    Returns:
        Shape (A, W, 2): R@10 and AP@10 as trec_eval defines them; ties keep the legs' order.
    """
    if not found.relevant.any():
        return np.zeros((len(alphas), len(weights), 2))
    passage = alphas[:, None] * found.lexical + (1 - alphas[:, None]) * found.dense
    column = weights[None, :, None]
    fused = (1 - column) * passage[:, None, :] + column * found.document
    best = np.argsort(-fused, axis=-1, kind="stable")[..., :CUTOFF]
    hits = found.relevant[best]
    precision = np.cumsum(hits, axis=-1) / np.arange(1, hits.shape[-1] + 1)
    recall = hits.sum(axis=-1) / found.total
    average_precision = (precision * hits).sum(axis=-1) / found.total
    return np.stack([recall, average_precision], axis=-1)
