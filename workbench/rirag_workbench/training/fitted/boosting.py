"""Gradient-boosted trees over candidates: which features, which of them only ever speak for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rirag_workbench.training.fitted.candidate_samples import CandidateSample
from rirag_workbench.training.fitted.tree_growth import TreeSettings, grow_trees
from search.json_form import Record
from search.ranking.learned.decision_trees import DecisionTrees
from search.ranking.learned.features import NAMES

RISING = (
    "lexical", "lexical share", "dense", "document", "document's share", "memory", "fused",
    "fused beside", "fused near", "lexical near", "dense near", "memory near", "together similar",
    "together share",
)  # fmt: skip
"""Features that can only speak for a candidate."""

FALLING = (
    "lexical rank", "cosine below best", "dense rank", "document rank", "memory rank", "fused rank",
    "fused below best",
)  # fmt: skip
"""Features that can only speak against it."""

FREE = ("heading",)

USED = tuple(name for name in NAMES if name in {*RISING, *FALLING, *FREE})
"""What the trees look at: everything that is a share, a rank or a distance within the question.
Left out are absolute scores and features of the whole question, which moved validation by less
than .002 and would tie the trees to one rulebook's scores (docs/learned-fusion.md)."""


@dataclass(frozen=True, slots=True)
class BoostingSettings(Record, TreeSettings):
    """How trees are grown. Depths of 2 to 4 and 100 to 400 trees validate within .004."""

    trees: int = 120
    depth: int = 3
    learning_rate: float = 0.08


def grow(
    samples: Sequence[CandidateSample], settings: BoostingSettings
) -> tuple[DecisionTrees, float]:
    """Fit trees to tell the candidates that answer; return them and where they start from.

    They grow from questions as they were asked: what short ones made of these teach beside them
    costs the long ones half a point (docs/learned-fusion.md). They are monotone in all features but
    `heading`: with few questions a tree would otherwise learn exceptions that the next rulebook
    does not have.

    Raises:
        MissingDependencyError: scikit-learn is not installed.
    """
    useful = learned_from(samples)
    columns = [NAMES.index(name) for name in USED]
    direction = [1 if name in RISING else -1 if name in FALLING else 0 for name in USED]
    rows = np.vstack([one.rows for one in useful])[:, columns]
    answers = np.concatenate([one.answers for one in useful])
    return grow_trees(
        rows, answers, np.ones(len(rows)), columns, settings, "Fitting learned ranking", direction
    )


def learned_from(samples: Sequence[CandidateSample]) -> list[CandidateSample]:
    """Return the samples that trees grow from."""
    return [one for one in samples if one.kind == "question" and one.answers.any()]
