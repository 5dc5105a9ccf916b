"""Fitting the learned ranking to questions that the encoder was not trained on.

Quality is told by cross-validation by question (a question's keyword versions stay with it), and a
second time by rulebook, so that every rulebook is once one that no tree has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from rirag_workbench.evaluation.statistics import randomisation_test
from rirag_workbench.training.data.held_out import FOLDS, fold_of, hash_number
from rirag_workbench.training.data.samples import quality
from rirag_workbench.training.fitted.candidate_samples import (
    CANDIDATES,
    CandidateSample,
    Origin,
    Retrievers,
)
from rirag_workbench.training.fitted.trees import USED, BoostingSettings, grow, learned_from
from search.errors import InputError
from search.ranking.learned.features import Array
from search.ranking.learned.learned_fusion import LearnedFusion, Variant, final_scores
from search.ranking.profiles import Profile


@dataclass(frozen=True, slots=True)
class Figures:
    """R@10 and AP@10 of some questions before and after the step, means of 0 to 1."""

    questions: int
    recall_before: float
    recall: float
    average_precision_before: float
    average_precision: float
    p_value: float
    """Of the difference in R@10 + AP@10, by a paired randomisation test, two-sided."""

    def __str__(self) -> str:
        return (
            f"{self.questions:5,}  {self.recall_before:.4f} → {self.recall:.4f}  "
            f"{self.average_precision_before:.4f} → {self.average_precision:.4f}  "
            f"p {self.p_value:.3f}"
        )


@dataclass(frozen=True, slots=True)
class VariantReport:
    """The step under one combination of retrievers, on questions left out of the fit."""

    retrievers: tuple[str, ...]
    weight: float
    least_words: int
    parts: dict[str, Figures]
    """Folds by question."""
    other_rulebooks: dict[str, Figures]
    """Folds by rulebook: each question is judged by trees that saw none of its rulebook's. Empty
    where there is one rulebook."""


@dataclass(frozen=True, slots=True)
class LearnedFusionReport:
    """All combinations of retrievers."""

    variants: tuple[VariantReport, ...]

    def to_json(self) -> list[dict[str, Any]]:
        """Return plain values."""
        return [asdict(one) for one in self.variants]

    def to_table(self) -> str:
        """Return lines to read."""
        lines = []
        for one in self.variants:
            retrievers = " + ".join(("lexical", "dense", *one.retrievers))
            lines.append(f"{retrievers}: weight {one.weight:g}, from {one.least_words} words on")
            lines.append(f"  {'':38}n      R@10               AP@10")
            for title, parts in (("", one.parts), ("other rulebooks: ", one.other_rulebooks)):
                lines += [f"  {title + name:35}{found}" for name, found in parts.items()]
        return "\n".join(lines)


def figures(
    samples: Sequence[CandidateSample], after: Sequence[Array], chosen: Iterable[int]
) -> Figures:
    """Compare scores after the step with those before, on chosen samples."""
    old, new = _qualities(samples, after, list(chosen))
    (recall_before, precision_before), (recall, precision) = old.mean(axis=0), new.mean(axis=0)
    return Figures(
        len(old),
        float(recall_before),
        float(recall),
        float(precision_before),
        float(precision),
        randomisation_test((new - old).sum(axis=1)),
    )


def gain(
    samples: Sequence[CandidateSample], after: Sequence[Array], chosen: Iterable[int]
) -> float:
    """Return how much the step adds to R@10 + AP@10 on chosen samples."""
    old, new = _qualities(samples, after, list(chosen))
    return float((new - old).sum(axis=1).mean())


def _qualities(
    samples: Sequence[CandidateSample], after: Sequence[Array], places: Sequence[int]
) -> tuple[Array, Array]:
    old = [_quality(samples[place], samples[place].before) for place in places]
    new = [_quality(samples[place], after[place]) for place in places]
    return np.array(old), np.array(new)


def _quality(sample: CandidateSample, scores: Array) -> tuple[float, float]:
    """Return R@10 and AP@10; ties keep the order."""
    best = np.argsort(-scores, kind="stable")
    return quality(sample.answers[best], max(sample.total, 1))


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
