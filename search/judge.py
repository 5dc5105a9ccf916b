"""What the fitted models of a profile say of one question's candidates.

The learned last step (`search.learned_fusion`) gives them their order, the calibration
(`search.relevance`) tells how likely each of them answers. Each stands aside where it was not
fitted, and the plan says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from search.candidate_features import Array, candidate_features
from search.fusion import Fused
from search.learned_fusion import Variant, explained, final_scores, load_learned_fusion
from search.profiles import Profile
from search.records import Key, LearnedScore, LegScore
from search.relevance import load_relevance


@dataclass(frozen=True, slots=True)
class Asked:
    """What decides whether a fitted model holds for a question."""

    encoder_revision: str
    words: int
    terms: int
    """Index terms, with repetitions."""
    depth: int
    """Candidates of each leg."""
    memory: bool
    """Whether known questions were asked."""
    documents: frozenset[str]
    """`title_hash` of the index's documents."""
    named: bool
    """Whether the question names rules: these are found by number, and no score judges them."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was said of the candidates of one question."""

    places: Mapping[Key, int]
    rows: Array
    """Features, shape (candidates, features)."""
    learned: Mapping[Key, LearnedScore]
    """For the best candidates; empty: the step stood aside, or there is none."""
    variant: Variant | None
    relevance: Mapping[Key, float]
    """Probability that a candidate answers; empty: no calibration fits."""
    answerable: float | None
    """Probability that any passage of the index answers."""
    notes: tuple[str, ...] = ()
    """Why a model had no say, or less of it: usual on rulebooks that it was not fitted on."""

    def described(self) -> str:
        """Return how the final order came about, for the plan; empty: without a learned step."""
        if self.variant is None:
            return ""
        return (
            f"{len(self.variant.trees.feature)} trees order the best {len(self.learned)}, "
            f"weight {self.variant.weight:.2f}"
        )

    def explained(self, keys: Sequence[Key]) -> dict[Key, LearnedScore]:
        """Return the learned scores of those candidates that have one, with what moved them."""
        known = [key for key in keys if key in self.learned]
        if not known or self.variant is None:
            return {}
        moved = explained(self.variant, self.rows[[self.places[key] for key in known]])
        return {
            key: replace(self.learned[key], because=because)
            for key, because in zip(known, moved, strict=True)
        }


NO_JUDGEMENT = Judgement({}, candidate_features((), 0, 0), {}, None, {}, None)
"""Of a profile without fitted models."""


def judge(
    profile: Profile,
    asked: Asked,
    fused: Sequence[Fused],
    order: Sequence[tuple[Key, float]],
    rerank: Mapping[Key, LegScore],
) -> Judgement:
    """Let the models of a profile judge the candidates.

    Args:
        profile: names the models' files.
        asked: what decides whether they hold.
        fused: all candidates, as the fixed weights order them.
        order: keys and scores so far, best first, after the cross-encoder.
        rerank: what the cross-encoder said of those that it read.
    """
    if not fused:
        return NO_JUDGEMENT
    reason = _not_judged(fused)
    if reason:
        return replace(NO_JUDGEMENT, notes=(reason,))
    rows = candidate_features(fused, asked.words, asked.terms, rerank)
    places = {one.key: place for place, one in enumerate(fused)}
    legs = frozenset(
        name for name, there in (("memory", asked.memory), ("rerank", bool(rerank))) if there
    )
    judgement = replace(NO_JUDGEMENT, places=places, rows=rows)
    judgement = _learned(judgement, profile, asked, legs, order)
    return _calibrated(judgement, profile, asked, legs)


def _not_judged(fused: Sequence[Fused]) -> str:
    for leg in ("lexical", "dense"):
        if all(getattr(one, leg) is None for one in fused):
            return f"fitted models stand aside: the {leg} leg proposed nothing"
    if not all(isinstance(one.key, int) for one in fused):
        return "fitted models stand aside: the index does not say which passages are neighbours"
    return ""


def _learned(
    judgement: Judgement,
    profile: Profile,
    asked: Asked,
    legs: frozenset[str],
    order: Sequence[tuple[Key, float]],
) -> Judgement:
    if not profile.learned:
        return judgement
    model = load_learned_fusion(Path(profile.learned))
    variant = model.variant(legs)
    reason = model.fitted_for.objection(asked.encoder_revision, asked.words, asked.depth)
    if not reason and not model.fitted_for.knows(asked.documents):
        reason = "it was fitted on other documents"
    if not reason and variant is None:
        reason = f"it was not fitted for {_with(legs)}"
    if not reason and variant is not None and asked.words < variant.least_words:
        reason = (
            f"it helps questions of {variant.least_words} words and more, and this one has "
            f"{asked.words}"
        )
    if reason or variant is None:
        note = f"the learned last step stands aside: {reason}"
        return replace(judgement, notes=(*judgement.notes, note))
    head = order[: model.candidates]
    rows = judgement.rows[[judgement.places[key] for key, _ in head]]
    scores = final_scores(variant, rows, [score for _, score in head])
    found = {key: score for (key, _), score in zip(head, scores, strict=True)}
    return replace(judgement, learned=found, variant=variant)


def _calibrated(
    judgement: Judgement, profile: Profile, asked: Asked, legs: frozenset[str]
) -> Judgement:
    if not profile.relevance or asked.named:
        return judgement
    model = load_relevance(Path(profile.relevance))
    calibration = model.calibration(legs)
    reason = model.fitted_for.objection(asked.encoder_revision, asked.words, asked.depth)
    if not reason and calibration is None:
        reason = f"it was not fitted for {_with(legs)}"
    if reason or calibration is None:
        note = f"no relevance is given: {reason}"
        return replace(judgement, notes=(*judgement.notes, note))
    relevance = calibration.relevance(judgement.rows).tolist()
    judgement = replace(
        judgement,
        relevance={key: relevance[place] for key, place in judgement.places.items()},
    )
    if model.fitted_for.knows(asked.documents):
        return replace(judgement, answerable=calibration.answerable(judgement.rows))
    note = "relevance was calibrated on other documents: it compares hits, and may be too low"
    return replace(judgement, notes=(*judgement.notes, note))


def _with(legs: frozenset[str]) -> str:
    named = {"memory": "known questions", "rerank": "a cross-encoder"}
    return " and ".join(named[leg] for leg in sorted(legs)) or "the lexical and the dense leg alone"
