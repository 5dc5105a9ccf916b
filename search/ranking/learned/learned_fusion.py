"""Learned ranking: small decision trees put the best fused candidates in order.

The trees weigh what the retrievers, the neighbours and the question memory said of a candidate
(`search.ranking.learned.features`). They were fitted with one encoder, on questions of certain
lengths and with or without answered questions; elsewhere the step stands aside, and the fixed
weights decide. A reranker reads the best of their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.ranking.fusion import min_max
from search.ranking.learned.decision_trees import DecisionTrees
from search.ranking.learned.features import GROUPS, NAMES, Array, Columns
from search.ranking.learned.file import load_fitted, write_fitted
from search.ranking.learned.fitted_for import FittedFor
from search.records import LearnedScore

EXPONENT = 0.5
"""Of the final score, which leaves the order alone: log-odds fall off faster than the scores of the
retrievers do, and the score filter of an answer (drop 0.2, floor 0.7) would keep 1.7 passages a
question. With the root it keeps 3.3, and quoted answers to the validation questions cover 75 % of
the obligations of the right passages instead of 70 %, in 187 words (`benchmarks.extractive`)."""

DIGITS = 9
"""Of what moved a hit."""

FORM = "rirag learned fusion 1"
"""Form of the file; its number is raised when the features change their meaning."""

_IN_GROUP = np.array([[name in names for names in GROUPS.values()] for name in NAMES], dtype=float)
"""Which column is in which group, shape (len(NAMES), len(GROUPS))."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The trees for one set of retrievers."""

    retrievers: frozenset[str]
    """`memory`, where answered questions are asked beside the lexical and the dense retriever."""
    trees: DecisionTrees
    bias: float
    """Log-odds that the trees start from."""
    weight: float
    """Share of the trees in the final score, 0 to 1; the rest is the score before."""
    least_words: int = 1
    """Length of question from which on these trees do not lose."""
    exponent: float = EXPONENT
    """Of the final score."""


@dataclass(frozen=True, slots=True)
class LearnedFusion:
    """A fitted step, with one variant for each set of retrievers."""

    fitted_for: FittedFor
    candidates: int
    """How many of the best are put in order; those behind keep theirs."""
    variants: tuple[Variant, ...]
    record: Mapping[str, Any] = field(default_factory=dict)
    """How it was fitted: data with hashes, settings, figures."""

    def variant(self, retrievers: frozenset[str]) -> Variant | None:
        """Return the trees for a set of retrievers, if there are any."""
        return next((one for one in self.variants if one.retrievers == retrievers), None)

    def to_json(self) -> dict[str, Any]:
        """Return the content of the model's file."""
        return {
            "fitted_for": self.fitted_for.model_dump(),
            "candidates": self.candidates,
            "features": list(NAMES),
            "variants": [
                {
                    "legs": sorted(one.retrievers), "bias": one.bias, "weight": one.weight,
                    "least_words": one.least_words, "exponent": one.exponent,
                    **one.trees.to_json(),
                }
                for one in self.variants
            ],
            "record": dict(self.record),
        }  # fmt: skip

    def save(self, path: Path) -> None:
        """Write the model's file."""
        write_fitted(path, FORM, self.to_json())


class LearnedScores(NamedTuple):
    """What the trees say of each candidate; every array has the shape (candidates,)."""

    raw: Array
    normalised: Array
    rank: NDArray[np.intp]
    score: Array


def final_scores(variant: Variant, rows: Array, before: Array) -> LearnedScores:
    """Return what the trees say of each candidate, in the order given.

    Args:
        variant: the trees.
        rows: the candidates' features, shape (candidates, len(NAMES)).
        before: their scores so far, 0 to 1; shape (candidates,).

    Returns:
        `raw` is the trees' log-odds, `normalised` its min-max over the candidates, `rank` its
        1-based rank, `score` the final one: ((1 - weight)·before + weight·normalised) ** exponent.
        Ties keep the order.
    """
    raw = variant.bias + variant.trees.output(rows)
    normalised = min_max(raw)
    rank = np.empty(len(raw), np.intp)
    rank[np.argsort(-raw, kind="stable")] = np.arange(1, len(raw) + 1)
    mixed = (1 - variant.weight) * before + variant.weight * normalised
    return LearnedScores(raw, normalised, rank, mixed**variant.exponent)


def explained(variant: Variant, rows: Array) -> list[dict[str, float]]:
    """Return for each row what moved it: group of features → log-odds, and `base` first.

    They add up to the trees' output with its bias, which is `LearnedScore.raw`.
    """
    # Sums of several rows at once differ in their last digits from those of fewer.
    moved = np.round(variant.trees.contributions(rows) @ _IN_GROUP, DIGITS)
    base = variant.bias + variant.trees.base
    return [
        {"base": base} | {group: by for group, by in zip(GROUPS, row, strict=True) if by}
        for row in moved.tolist()
    ]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was said of the candidates of one question, by their places in the fusion."""

    features: Columns
    """Of all candidates; empty: they are not judged."""
    rows: Array
    """What the trees look at, of those that they put in order; shape (candidates, features)."""
    learned: LearnedScores | None
    """Of the best fused candidates; None: learned ranking was not applied, or there is none."""
    variant: Variant | None
    relevance: Array | None
    """Probability that a candidate answers, shape (candidates,); None: no calibration fits."""

    def explained(self, places: Iterable[int]) -> dict[int, LearnedScore]:
        """Return the learned scores of those candidates that have one, with what moved them."""
        learned, variant = self.learned, self.variant
        if learned is None or variant is None:
            return {}
        known = [place for place in places if place < len(learned.raw)]
        columns = (column.take(known).tolist() for column in learned)
        reasons = explained(variant, self.rows[known])
        rows = zip(*columns, reasons, strict=True)
        return dict(zip(known, (LearnedScore(*row) for row in rows), strict=True))


NO_JUDGEMENT = Judgement({}, np.zeros((0, len(NAMES))), None, None, None)
"""Of a profile without fitted models."""


def load_learned_fusion(path: str | Path) -> LearnedFusion:
    """Read a model's file; the same file is read once.

    Raises:
        ModelError: it cannot be read, was altered, or was fitted on other features.
    """
    return load_fitted(path, FORM, _built, NAMES)


def _built(content: Mapping[str, Any]) -> LearnedFusion:
    return LearnedFusion(
        FittedFor.model_validate(content["fitted_for"]),
        int(content["candidates"]),
        tuple(_variant(one) for one in content["variants"]),
        content.get("record", {}),
    )


def _variant(data: Mapping[str, Any]) -> Variant:
    trees = DecisionTrees.from_json(dict(data), len(NAMES))
    weight = float(data["weight"])
    if not 0 <= weight <= 1:
        raise ValueError(f"the weight of the trees is {weight}, and must be between 0 and 1")
    retrievers, bias, least = frozenset(data["legs"]), float(data["bias"]), int(data["least_words"])
    exponent = float(data.get("exponent", EXPONENT))
    if not 0 < exponent <= 1:
        raise ValueError(f"the exponent is {exponent}, and must be above 0 and at most 1")
    return Variant(retrievers, trees, bias, weight, least, exponent)
