"""What the fitted models of a profile say of one question's candidates.

Learned ranking (`search.ranking.learned.learned_fusion`) puts them in order, for a reranker to
read the best; the calibration (`search.ranking.learned.relevance`) tells in the end how likely each
of them answers. Each stands aside where it was not fitted, and the plan says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from search.answered_questions.co_answers import Answered
from search.ranking.candidate_set import FusedCandidates
from search.ranking.fusion import weight_of_votes
from search.ranking.learned.features import (
    NAMES,
    Array,
    Columns,
    candidate_columns,
    first_rows,
    read_by_reranker,
)
from search.ranking.learned.fitted_for import FittedFor
from search.ranking.learned.learned_fusion import (
    LearnedFusion,
    LearnedScores,
    Variant,
    explained,
    final_scores,
    load_learned_fusion,
)
from search.ranking.learned.relevance import Relevance, load_relevance, signals_of
from search.ranking.profiles import Profile
from search.records import LearnedScore, RetrieverScore
from search.trace import AnswerableBy

ASIDE = "learned ranking not applied: "
"""How the note begins that says why it has no say."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What decides whether a fitted model holds for a question."""

    encoder_revision: str
    words: int
    terms: int
    """Index terms, with repetitions."""
    depth: int
    """Candidates of each retriever."""
    reranker: str
    """Name of the reranker; empty: none is used."""
    memory: bool
    """Whether answered questions were asked."""
    documents: frozenset[str]
    """`title_hash` of the index's documents."""
    passages: int
    """How many the index has."""
    named: bool
    """Whether the question names rules: these are found by number, and no score judges them."""
    unread: bool = False
    """Whether the encoder hardly reads the language of the question."""


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
    answerable: float | None
    """Probability that any passage of the index answers."""
    answerable_by: AnswerableBy = ""
    """What `answerable` rests on."""
    nearness: float | None = None
    """The same probability by the nearest vector alone; None: it is not known."""
    notes: tuple[str, ...] = ()
    """Why a model had no say, or less of it: usual on rulebooks that it was not fitted on."""

    def described(self) -> str:
        """Return how the final order came about, for the plan; empty: without learned ranking."""
        if self.variant is None or self.learned is None:
            return ""
        return (
            f"{len(self.variant.trees.feature)} trees order the best {len(self.learned.raw)}, "
            f"weight {self.variant.weight:.2f}"
        )

    def explained(self, places: Iterable[int]) -> dict[int, LearnedScore]:
        """Return the learned scores of those candidates that have one, with what moved them."""
        learned, variant = self.learned, self.variant
        if learned is None or variant is None:
            return {}
        known = [place for place in places if place < len(learned.raw)]
        reasons = explained(variant, self.rows[known])
        return dict(zip(known, learned.at(known, reasons), strict=True))

    def relevance_of(self, place: int) -> float | None:
        """Return the probability that a candidate answers, if it is known."""
        return None if self.relevance is None else float(self.relevance[place])


NO_JUDGEMENT = Judgement({}, np.zeros((0, len(NAMES))), None, None, None, None)
"""Of a profile without fitted models."""


def put_in_order(
    profile: Profile, asked: Asked, fused: FusedCandidates, answered: Answered
) -> Judgement:
    """Let the learned ranking of a profile score the best candidates.

    Args:
        profile: names the models' files.
        asked: what decides whether they hold.
        fused: all candidates, as the fixed weights order them.
        answered: the passages of the nearest answered questions.
    """
    if not len(fused):
        return NO_JUDGEMENT
    reason = _not_judged(fused)
    if not reason and asked.unread:
        reason = "fitted models not applied: the encoder hardly reads the language of the question"
    if reason:
        return replace(NO_JUDGEMENT, notes=(reason,))
    features = candidate_columns(fused, asked.words, asked.terms, answered)
    return _learned(replace(NO_JUDGEMENT, features=features), profile, asked, fused)


def calibrate(
    judgement: Judgement, profile: Profile, asked: Asked, rerank: Mapping[int, RetrieverScore]
) -> Judgement:
    """Let the calibration of a profile say how likely each candidate answers.

    Args:
        judgement: of `put_in_order`, of the same question.
        profile: names the models' files.
        asked: what decides whether they hold.
        rerank: what the reranker said of those that it read, by their places.
    """
    if not (judgement.features and profile.relevance) or asked.named:
        return judgement
    retrievers = _retrievers(asked, rerank)
    model = load_relevance(profile.relevance)
    calibration = model.calibration(retrievers)
    judgement = replace(judgement, nearness=_nearness(judgement, model, asked))
    reason = _objection(model.fitted_for, asked, retrievers)
    if not reason and calibration is None:
        reason = f"it was not fitted for {_with(retrievers)}"
    if reason or calibration is None:
        note = f"no relevance: {reason}"
        return _by_nearness(replace(judgement, notes=(*judgement.notes, note)))
    size = len(judgement.features["fused"])
    known = signals_of(read_by_reranker(judgement.features, size, rerank))
    relevance = np.broadcast_to(calibration.relevance(known), (size,))
    judgement = replace(judgement, relevance=relevance)
    if model.fitted_for.knows(asked.documents):
        answerable = calibration.answerable(known)
        return replace(judgement, answerable=answerable, answerable_by="calibration")
    note = (
        "relevance was calibrated on other documents; use it only to compare hits, and "
        "expect it to be too low"
    )
    return _by_nearness(replace(judgement, notes=(*judgement.notes, note)))


def _by_nearness(judgement: Judgement) -> Judgement:
    by: AnswerableBy = "" if judgement.nearness is None else "nearness"
    return replace(judgement, answerable=judgement.nearness, answerable_by=by)


def _nearness(judgement: Judgement, model: Relevance, asked: Asked) -> float | None:
    """Estimate from the nearest vector alone if there is an answer, for the same encoder.

    One word is a subject, not a question: it is near to no passage, and the lexical retriever found
    it.
    """
    same_encoder = asked.encoder_revision == model.fitted_for.encoder_revision
    if model.nearness is None or not same_encoder or asked.terms == 1:
        return None
    return model.nearness.probability(signals_of(judgement.features)).item()


def _not_judged(fused: FusedCandidates) -> str:
    for name, retriever in (("lexical", fused.lexical), ("dense", fused.dense)):
        if not retriever.proposed.any():
            return f"fitted models not applied: the {name} retriever found nothing"
    return ""


def _learned(
    judgement: Judgement, profile: Profile, asked: Asked, fused: FusedCandidates
) -> Judgement:
    if not profile.learned:
        return judgement
    model, retrievers = load_learned_fusion(profile.learned), _retrievers(asked, {})
    # Trees that know no votes leave these to be added below.
    variant = model.variant(retrievers) or model.variant(retrievers - {"memory"})
    reason = _learned_objection(model, variant, asked)
    if variant is None or reason:
        return replace(judgement, notes=(*judgement.notes, ASIDE + reason))
    before = fused.scores[: model.candidates]
    rows = first_rows(judgement.features, len(before), variant.trees.looked_at)
    learned = final_scores(variant, rows, before)
    if asked.memory and "memory" not in variant.retrievers:
        learned = _with_votes(learned, profile, fused)
    return replace(judgement, rows=rows, learned=learned, variant=variant)


def _with_votes(learned: LearnedScores, profile: Profile, fused: FusedCandidates) -> LearnedScores:
    """Add the votes of answered questions as the fusion does; without votes nothing changes."""
    weight = weight_of_votes(profile, float(np.nan_to_num(fused.memory.raw).max(initial=0.0)))
    votes = fused.memory.normalised[: len(learned.score)]
    return learned._replace(score=(1 - weight) * learned.score + weight * votes)


def _learned_objection(model: LearnedFusion, variant: Variant | None, asked: Asked) -> str:
    """Return why learned ranking is not applied, as a sentence; empty: it is."""
    retrievers, fitted_for = _retrievers(asked, {}), model.fitted_for
    reason = _objection(fitted_for, asked, retrievers)
    if reason:
        return reason
    if not fitted_for.knows(asked.documents):
        return "it was fitted on other documents"
    if asked.passages < fitted_for.least_passages:
        return (
            f"it applies to indexes of {fitted_for.least_passages:,} passages or more, and this "
            f"one has {asked.passages:,}"
        )
    if variant is None:
        return f"it was not fitted for {_with(retrievers)}"
    if asked.words < variant.least_words:
        return (
            f"it applies to questions of {variant.least_words} words or more, and this one has "
            f"{asked.words}"
        )
    return ""


def _retrievers(asked: Asked, rerank: Mapping[int, RetrieverScore]) -> frozenset[str]:
    there = {"memory": asked.memory, "rerank": bool(rerank)}
    return frozenset(name for name in there if there[name])


def _objection(fitted_for: FittedFor, asked: Asked, retrievers: frozenset[str]) -> str:
    reranker = asked.reranker if "rerank" in retrievers else ""
    return fitted_for.objection(asked.encoder_revision, asked.words, asked.depth, reranker)


def _with(retrievers: frozenset[str]) -> str:
    named = {"memory": "answered questions", "rerank": "a reranker"}
    return (
        " and ".join(named[retriever] for retriever in sorted(retrievers))
        or "the lexical and the dense retriever alone"
    )
