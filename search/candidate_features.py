"""What is known of each candidate of a question, as numbers that a learned ranker can weigh.

Everything comes from what the legs said: no passage is fetched. Scores are taken as shares of the
question's own best wherever that is possible, so that a rulebook of another size or wording shifts
them little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from search.fusion import Fused
from search.records import Key, LegScore

Array = NDArray[np.float64]

UNRANKED = 1000.0
"""Rank of a candidate that a leg did not propose: behind all whom it could have proposed."""
NEAR = 2
"""How many passages before and after one count as its neighbours: a rule is often answered
together with the paragraph beside it."""
TOP = 10
"""How deep the legs are compared, as deep as results are read."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "lexical": ("lexical", "lexical share", "lexical rank", "lexical per term"),
    "dense": ("dense", "cosine", "cosine below best", "dense rank"),
    "document": ("document", "document rank", "document's share"),
    "memory": ("memory", "votes", "memory rank"),
    "fused": ("fused", "fused rank", "fused below best"),
    "neighbours": (
        "fused beside", "fused near", "lexical near", "dense near", "memory near",
    ),
    "heading": ("heading",),
    "question": (
        "words", "best lexical per term", "best cosine", "cosine spread", "lexical lead",
        "dense lead", "best votes", "agreement",
    ),
    "rerank": ("rerank", "logit", "rerank rank"),
}  # fmt: skip
"""The features by what they tell of; `--explain` adds up the contributions of each group."""

NAMES: tuple[str, ...] = tuple(name for names in GROUPS.values() for name in names)
"""The columns of `candidate_features`, in order."""


def candidate_features(
    fused: Sequence[Fused],
    words: int,
    terms: int,
    rerank: Mapping[Key, LegScore] | None = None,
) -> Array:
    """Return one row a candidate, shape (candidates, len(NAMES)).

    Args:
        fused: all candidates of the question, best first; their keys are integers in the order of
            the index.
        words: length of the question.
        terms: index terms of the question, with repetitions.
        rerank: what the cross-encoder said of those that it read.
    """
    if not fused:
        return np.zeros((0, len(NAMES)))
    read = rerank or {}
    legs = {
        "lexical": _leg([one.lexical for one in fused]),
        "dense": _leg([one.dense for one in fused]),
        "document": _leg([one.document for one in fused]),
        "memory": _leg([one.memory for one in fused]),
        "rerank": _leg([read.get(one.key) for one in fused]),
    }
    score = np.array([one.score for one in fused])
    documents = _codes([one.document_id for one in fused])
    columns = {
        **_of_legs(legs, max(terms, 1)),
        **_of_fusion(score, documents),
        **_of_neighbours(fused, documents, score, legs),
        **_of_question(legs, words, max(terms, 1)),
        "heading": np.array([one.kind == "heading" for one in fused], dtype=float),
    }
    rows = np.empty((len(fused), len(NAMES)))
    for place, name in enumerate(NAMES):
        rows[:, place] = columns[name]
    return rows


def _leg(scores: Sequence[LegScore | None]) -> Array:
    """Return raw score, normalised score and rank, shape (3, candidates); absent: NaN, 0, last."""
    found = np.empty((3, len(scores)))
    found[:] = [[np.nan], [0.0], [UNRANKED]]
    places = [place for place, one in enumerate(scores) if one is not None]
    if places:
        found[:, places] = np.array([one for one in scores if one is not None], dtype=float).T
    return found


def _codes(names: Sequence[str]) -> NDArray[np.intp]:
    """Return a small number for each name, the same for the same name."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.intp)


def _of_legs(legs: Mapping[str, Array], terms: int) -> dict[str, Array]:
    lexical, dense, document = legs["lexical"], legs["dense"], legs["document"]
    memory, rerank = legs["memory"], legs["rerank"]
    bm25 = np.nan_to_num(lexical[0])
    cosine = np.where(np.isnan(dense[0]), _lowest(dense[0]), dense[0])
    return {
        "lexical": lexical[1],
        "lexical share": bm25 / max(bm25.max(), 1e-9),
        "lexical per term": bm25 / terms,
        "lexical rank": lexical[2],
        "dense": dense[1],
        "cosine": cosine,
        "cosine below best": cosine.max() - cosine,
        "dense rank": dense[2],
        "document": document[1],
        "document rank": document[2],
        "memory": memory[1],
        "votes": np.nan_to_num(memory[0]),
        "memory rank": memory[2],
        "rerank": rerank[1],
        "logit": np.where(np.isnan(rerank[0]), _lowest(rerank[0]), rerank[0]),
        "rerank rank": rerank[2],
    }


def _lowest(raw: Array) -> float:
    """Return the lowest score that a leg gave; 0 where it gave none."""
    return float(np.nanmin(raw)) if np.isfinite(raw).any() else 0.0


def _of_fusion(score: Array, documents: NDArray[np.intp]) -> dict[str, Array]:
    best = np.bincount(documents[:TOP], minlength=documents.max() + 1)
    return {
        "fused": score,
        "fused rank": np.arange(1.0, len(score) + 1),
        "fused below best": score.max() - score,
        "document's share": best[documents] / min(TOP, len(score)),
    }


def _of_neighbours(
    fused: Sequence[Fused],
    documents: NDArray[np.intp],
    score: Array,
    legs: Mapping[str, Array],
) -> dict[str, Array]:
    keys = np.array([int(one.key) for one in fused])
    signals = np.stack([score, legs["lexical"][1], legs["dense"][1], legs["memory"][1]])
    order = np.argsort(keys)
    beside, near = np.zeros_like(score), np.zeros_like(signals)
    for distance in range(-NEAR, NEAR + 1):
        if distance == 0:
            continue
        found = np.searchsorted(keys, keys + distance, sorter=order)
        place = order[np.minimum(found, len(keys) - 1)]
        there = (keys[place] == keys + distance) & (documents[place] == documents)
        values = np.where(there, signals[:, place], 0.0)
        near = np.maximum(near, values)
        if abs(distance) == 1:
            beside = np.maximum(beside, values[0])
    return {
        "fused beside": beside,
        "fused near": near[0],
        "lexical near": near[1],
        "dense near": near[2],
        "memory near": near[3],
    }


def _of_question(legs: Mapping[str, Array], words: int, terms: int) -> dict[str, Array]:
    lexical = -np.sort(-np.nan_to_num(legs["lexical"][0]))
    cosine = legs["dense"][0]
    cosine = -np.sort(-cosine[~np.isnan(cosine)]) if np.isfinite(cosine).any() else np.zeros(1)
    first = {
        name: set(np.flatnonzero(legs[name][2] <= TOP).tolist()) for name in ("lexical", "dense")
    }
    return {
        "words": np.array(float(words)),
        "best lexical per term": lexical[0] / terms,
        "lexical lead": _lead(lexical) / max(lexical[0], 1e-9),
        "best cosine": cosine[0],
        "cosine spread": cosine[0] - cosine[min(TOP, len(cosine)) - 1],
        "dense lead": _lead(cosine),
        "best votes": np.nan_to_num(legs["memory"][0]).max(),
        "agreement": np.array(len(first["lexical"] & first["dense"]) / TOP),
    }


def _lead(ordered: Array) -> Array:
    """Return how far the best is ahead of the second."""
    return np.asarray(ordered[0] - ordered[min(1, len(ordered) - 1)])
