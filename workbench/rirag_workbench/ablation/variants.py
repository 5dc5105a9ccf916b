"""The ways of searching that are compared: the whole pipeline, and the same less one component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from search.ranking.profile_file import load_profile
from search.ranking.profiles import AlphaStep, Profile

FULL = "everything"
"""Name of the pipeline from which components are taken away."""

UNTRAINED = "encoder untrained"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to search, as options of the real pipeline."""

    name: str
    change: str
    """How it differs from the whole pipeline, as a phrase."""
    profile: Profile
    component: str = ""
    """What is taken away; empty for the whole pipeline and for other systems."""
    rerank: bool = True
    answered_questions: bool = True
    untrained: bool = False
    """Whether the index of the untrained encoder is asked."""


@dataclass(frozen=True, slots=True)
class Components:
    """What the pipeline has, and so can be taken away."""

    profile: Profile
    reranker: str | None
    answered_questions: int
    untrained_profile: Profile | None = None
    """What the index of the untrained encoder is searched with; None: there is no such index."""

    @property
    def reranks(self) -> bool:
        """Whether a reranker shapes the ranking."""
        return self.reranker is not None and self.profile.rerank_weight > 0

    @property
    def remembers(self) -> bool:
        """Whether answered questions shape the ranking."""
        return self.answered_questions > 0 and self.profile.votes_weight > 0


def variants(have: Components, words: Sequence[int]) -> list[Variant]:
    """Return what to compare: the whole pipeline first, then less one component, then others.

    Args:
        have: the components there are; what is not there is not taken away.
    """
    return [
        Variant(FULL, "the unchanged pipeline", have.profile),
        *_less_one(have, words),
        *_others(have),
    ]


def _less_one(have: Components, words: Sequence[int]) -> list[Variant]:
    profile = have.profile
    alpha = float(np.mean([profile.alpha_for(length) for length in words]))
    fixed = replace(profile, alpha=(AlphaStep(alpha),), alpha_shape="steps", alpha_covered=0.0)
    found = []
    if have.untrained_profile is not None:
        other, index = have.untrained_profile, "the untrained index"
        found.append(Variant(UNTRAINED, index, other, "trained encoder", untrained=True))
    if profile.alpha_covered or len({step.value for step in profile.alpha}) > 1:
        change = f"α {alpha:.2f} for every question"
        found.append(Variant("no adaptive α", change, fixed, "adaptive α"))
    if profile.document_weight:
        without = replace(profile, document_weight=0.0)
        component = "document fusion"
        found.append(Variant("no document fusion", "document weight 0", without, component))
    if have.reranks:
        change = "the order before reranking is kept"
        found.append(Variant("no rerank", change, profile, "rerank", rerank=False))
    if profile.learned:
        change, without = (
            "only the fixed weights",
            replace(profile, learned=""),
        )
        found.append(Variant("no learned fusion", change, without, "learned fusion"))
    if have.remembers:
        change = "answered questions do not vote"
        found.append(Variant("no votes", change, profile, "votes", answered_questions=False))
    return found


def _others(have: Components) -> list[Variant]:
    paper = Variant(
        "bdd-finlegal",
        f"the paper's α, and {have.reranker} alone sets the order"
        if have.reranker
        else "the paper's α",
        load_profile("bdd-finlegal"),
        answered_questions=False,
    )
    return [
        _alone("BM25 only", "lexical"),
        _alone("dense only", "dense"),
        _alone("RRF", "rrf"),
        paper,
        *([_alone("bdd-finlegal fused", "bdd-finlegal")] if have.reranker else []),
    ]


def _alone(name: str, profile: str) -> Variant:
    chosen = load_profile(profile)
    change = f"profile {profile}, no rerank"
    return Variant(name, change, chosen, rerank=False, answered_questions=False)
