"""Hand-made fitted models: small enough to know what they say."""

from __future__ import annotations

import numpy as np

from search.ranking.learned.decision_trees import DecisionTrees
from search.ranking.learned.features import NAMES
from search.ranking.learned.fitted_for import FittedFor
from search.ranking.learned.learned_fusion import LearnedFusion, Variant
from search.ranking.learned.relevance import Calibration, Logistic, Relevance

FORKS = {"heading": (0.5, -3.0), "dense": (0.5, 1.0)}
"""Feature → threshold, and what the trees add above it (below: the opposite)."""


NEARNESS = Logistic(("best cosine",), (40.0,), -16.0)
"""Even odds at a cosine of .4, below .1 from .345 down."""


def fitted_for(revision: str, least: int = 1, most: int = 60, depth: int = 100) -> FittedFor:
    return FittedFor(
        encoder="an encoder", encoder_revision=revision, least_words=least, most_words=most,
        depth=depth,
    )  # fmt: skip


def trees() -> DecisionTrees:
    """One tree a fork."""
    return DecisionTrees(
        np.array([[NAMES.index(name)] for name in FORKS]),
        np.array([[threshold] for threshold, _ in FORKS.values()]),
        np.array([[0.0, -above, above] for _, above in FORKS.values()]),
    )


def learned(
    revision: str, weight: float = 1.0, candidates: int = 50,
    retrievers: frozenset[str] = frozenset(), **limits: int,
) -> LearnedFusion:  # fmt: skip
    variant = Variant(retrievers, trees(), bias=-0.5, weight=weight)
    return LearnedFusion(fitted_for(revision, **limits), candidates, (variant,), {"data": []})


def relevance(revision: str, retrievers: frozenset[str] = frozenset(), **limits: int) -> Relevance:
    calibration = Calibration(
        retrievers,
        passage=Logistic(("cosine", "lexical share"), (4.0, 1.0), -3.0),
        question=Logistic(("best cosine",), (10.0,), -5.0),
    )
    return Relevance(fitted_for(revision, **limits), (calibration,), nearness=NEARNESS)
