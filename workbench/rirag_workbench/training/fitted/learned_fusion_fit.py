"""Fitting the learned ranking to questions that the encoder was not trained on.

Quality is told by cross-validation by question (a question's keyword versions stay with it), and a
second time by rulebook, so that every rulebook is once one that no tree has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rirag_workbench.training.data.folds import FOLDS, fold_of, hash_number
from rirag_workbench.training.fitted.boosting import USED, BoostingSettings, grow, learned_from
from rirag_workbench.training.fitted.candidate_samples import (
    CANDIDATES,
    CandidateSample,
    Retrievers,
)
from rirag_workbench.training.fitted.learned_fusion_report import (
    LearnedFusionReport,
    VariantReport,
    figures,
    gain,
)
from rirag_workbench.training.fitted.origin import Origin
from search.errors import InputError
from search.ranking.learned.features import Array
from search.ranking.learned.learned_fusion import LearnedFusion, Variant, final_scores
from search.ranking.profiles import Profile

WEIGHTS = (0.3, 0.5, 0.7, 1.0)
"""Shares of the trees in the final score that are tried."""

MARGIN = 0.002
"""How much R@10 + AP@10 a larger share must gain: with a smaller one scores move less."""

LENGTHS = (1, 5, 10)
"""Shortest question of each length, as in BDD-FinLegal (equation 2)."""

FEWEST_QUESTIONS = 50
"""With fewer questions that have an answer among the candidates, trees learn those by heart."""


@dataclass(frozen=True, slots=True)
class LearnedFit:
    """Fitted trees, and how good they are."""

    model: LearnedFusion
    report: LearnedFusionReport
    held_out: tuple[LearnedFusion, ...]
    """For each fold (`fold_of`), the same fitted to the questions of all others."""


def fit_learned_fusion(
    samples: Sequence[Mapping[Retrievers, CandidateSample]],
    profile: Profile,
    origin: Origin,
    data: Sequence[Mapping[str, Any]] = (),
    seen: frozenset[str] = frozenset(),
    settings: BoostingSettings | None = None,
    told: Callable[[str], object] = lambda _: None,
) -> LearnedFit:
    """Fit trees for each combination of retrievers, and measure them on questions left out.

    Args:
        samples: from `candidate_samples`, asked with `profile`: questions as they were asked, and
            short ones.
        profile: the fixed weights that the step follows.
        origin: the index that was asked.
        data: what the questions came from, with hashes, for the record.
        seen: IDs of passages that answer a question the encoder was trained on, to report these
            apart.
        settings: of the trees.
        told: called with what is being fitted.

    Raises:
        InputError: there are too few questions.
    """
    settings = settings or BoostingSettings()
    variants, reports, left_out = [], [], []
    for retrievers in sorted(samples[0] if samples else (), key=sorted):
        told("trees with " + (" and ".join(sorted(retrievers)) or "two retrievers"))
        variant, found, others = _fit_variant(
            [one[retrievers] for one in samples], retrievers, settings, seen
        )
        variants.append(variant)
        reports.append(found)
        left_out.append(others)
    if not variants:
        raise InputError("there are no questions for fitting learned ranking", code="training.data")
    first = [one[frozenset()] for one in samples]
    report = LearnedFusionReport(tuple(reports))
    record = {
        "data": [dict(one) for one in data],
        "questions": sum(one.kind == "question" for one in first),
        "short_questions": sum(one.kind != "question" for one in first),
        "used_features": list(USED),
        "settings": settings.to_json(),
        "profile": profile.name,
        "report": report.to_json(),
    }
    words = (one.words for one in first)
    fitted_for = origin.fitted_for(profile.depth, words)
    model = LearnedFusion(fitted_for, CANDIDATES, tuple(variants), record)
    held_out = tuple(
        replace(model, variants=tuple(others.get(fold, whole) for others, whole in
                                      zip(left_out, variants, strict=True)))
        for fold in range(FOLDS)
    )  # fmt: skip
    return LearnedFit(model, report, held_out)


def _fit_variant(
    samples: Sequence[CandidateSample],
    retrievers: Retrievers,
    settings: BoostingSettings,
    seen: frozenset[str],
) -> tuple[Variant, VariantReport, dict[int, Variant]]:
    useful = len(learned_from(samples))
    if useful < FEWEST_QUESTIONS:
        raise InputError(
            f"learned ranking needs {FEWEST_QUESTIONS} questions with an answer among "
            f"the candidates, but there are {useful}; give more questions",
            code="training.data",
        )
    by_question = [fold_of(one.question_id) for one in samples]
    by_rulebook = [_fold_of_rulebook(one.document) for one in samples]
    left_out = _left_out(samples, by_question, retrievers, settings)
    judged = [left_out[fold] for fold in by_question]
    weight = _weight(samples, judged)
    after = [_final(one, raw, weight) for one, raw in zip(samples, judged, strict=True)]
    other_rulebooks = _left_out(samples, by_rulebook, retrievers, settings)
    elsewhere = [
        _final(one, other_rulebooks[fold], weight) if fold in other_rulebooks else one.before
        for one, fold in zip(samples, by_rulebook, strict=True)
    ]
    parts = _parts(samples, seen)
    report = VariantReport(
        retrievers=tuple(sorted(retrievers)),
        weight=weight,
        least_words=_least_words(samples, after),
        parts={name: figures(samples, after, chosen) for name, chosen in parts.items()},
        other_rulebooks={
            name: figures(samples, elsewhere, judged_elsewhere)
            for name, chosen in parts.items()
            if (judged_elsewhere := [one for one in chosen if by_rulebook[one] in other_rulebooks])
        },
    )
    trees, bias = grow(samples, settings)
    whole = Variant(retrievers, trees, bias, weight, report.least_words)
    others = {
        fold: replace(one, weight=weight, least_words=report.least_words)
        for fold, one in left_out.items()
    }
    return whole, report, others


def _left_out(
    samples: Sequence[CandidateSample],
    folds: Sequence[int],
    retrievers: Retrievers,
    settings: BoostingSettings,
) -> dict[int, Variant]:
    """Return for each fold trees that were grown without it, where others teach anything."""
    grown: dict[int, Variant] = {}
    for fold in sorted(set(folds)):
        others = [one for one, place in zip(samples, folds, strict=True) if place != fold]
        if learned_from(others):
            grown[fold] = Variant(retrievers, *grow(others, settings), weight=1.0)
    return grown


def _fold_of_rulebook(document: str) -> int:
    return hash_number(document) % FOLDS


def _final(sample: CandidateSample, variant: Variant, weight: float) -> Array:
    chosen = Variant(variant.retrievers, variant.trees, variant.bias, weight)
    return final_scores(chosen, sample.rows, sample.before).score


def _weight(samples: Sequence[CandidateSample], judged: Sequence[Variant]) -> float:
    """Return the share of the trees that is best on questions left out."""
    best, found = -3.0, WEIGHTS[0]
    for weight in WEIGHTS:
        after = [_final(one, raw, weight) for one, raw in zip(samples, judged, strict=True)]
        chosen = [place for place, one in enumerate(samples) if one.kind == "question"]
        reached = gain(samples, after, chosen or range(len(samples)))
        if reached > best + MARGIN:
            best, found = reached, weight
    return found


def _least_words(samples: Sequence[CandidateSample], after: Sequence[Array]) -> int:
    """Return the length from which on, at every length, the step does not lose."""
    least = LENGTHS[-1]
    for place in reversed(range(len(LENGTHS))):
        longest = LENGTHS[place + 1] if place + 1 < len(LENGTHS) else 10**6
        chosen = [row for row, one in enumerate(samples) if LENGTHS[place] <= one.words < longest]
        if not chosen or gain(samples, after, chosen) < 0:
            break
        least = LENGTHS[place]
    return least


def _parts(samples: Sequence[CandidateSample], seen: frozenset[str]) -> dict[str, list[int]]:
    """Return the samples of each part of the report."""
    kinds: dict[str, Callable[[CandidateSample], bool]] = {
        "questions": lambda one: one.kind == "question",
        "1-4 words": lambda one: one.words < LENGTHS[1],
        "5-9 words": lambda one: LENGTHS[1] <= one.words < LENGTHS[2],
        "10 words and more": lambda one: one.words >= LENGTHS[2],
    }
    if seen:
        kinds["questions, seen"] = lambda one: (
            one.kind == "question" and not (one.answered_by.isdisjoint(seen))
        )
        kinds["questions, unseen"] = lambda one: (
            one.kind == "question" and (one.answered_by.isdisjoint(seen))
        )
    parts = {
        name: [place for place, one in enumerate(samples) if belongs(one)]
        for name, belongs in kinds.items()
    }
    return {name: chosen for name, chosen in parts.items() if chosen}
