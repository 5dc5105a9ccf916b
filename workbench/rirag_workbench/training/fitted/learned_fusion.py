"""Fitting the learned ranking to questions that the encoder was not trained on.

Quality is told by cross-validation by question (a question's keyword versions stay with it), and a
second time by rulebook, so that every rulebook is once one that no tree has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import Table
from rirag_workbench.training.data.held_out import FOLDS, fold_of, hash_number
from rirag_workbench.training.figures import Gain, Members, gain_table, left_out, quality
from rirag_workbench.training.fitted.candidate_samples import (
    CANDIDATES,
    CandidateSample,
    Origin,
    Retrievers,
)
from rirag_workbench.training.fitted.trees import USED, BoostingSettings, grow, learned_from
from search.json_form import Record
from search.ranking.learned.features import Array
from search.ranking.learned.learned_fusion import LearnedFusion, Variant, final_scores
from search.ranking.profiles import Profile


@dataclass(frozen=True, slots=True)
class VariantReport(Record):
    """The step under one combination of retrievers, on questions left out of the fit."""

    retrievers: tuple[str, ...]
    weight: float
    least_words: int
    parts: Mapping[str, Gain]
    """Folds by question."""
    other_rulebooks: Mapping[str, Gain]
    """Folds by rulebook: each question is judged by trees that saw none of its rulebook's. Empty
    where there is one rulebook."""

    def tables(self) -> list[Table]:
        """Return the figures."""
        retrievers = " + ".join(("lexical", "dense", *self.retrievers))
        title = f"{retrievers}, weight {self.weight:g}, from {self.least_words} words on"
        tables = [gain_table(title, self.parts)]
        if self.other_rulebooks:
            tables.append(gain_table("the same on other rulebooks", self.other_rulebooks))
        return tables


def gain_of(
    samples: Sequence[CandidateSample], after: Sequence[Array], chosen: Iterable[int]
) -> Gain:
    """Compare scores after the step with those before, on chosen samples."""
    places = list(chosen)
    old = [_quality(samples[place], samples[place].before) for place in places]
    new = [_quality(samples[place], after[place]) for place in places]
    return Gain.of(np.array(old), np.array(new))


def _gained(gain: Gain) -> float:
    return gain.after.objective - gain.before.objective


def _quality(sample: CandidateSample, scores: Array) -> tuple[float, float]:
    """Return R@10 and AP@10; ties keep the order."""
    best = np.argsort(-scores, kind="stable")
    return quality(sample.answers[best], max(sample.total, 1))


WEIGHTS = (0.3, 0.5, 0.7, 1.0)
"""Shares of the trees in the final score that are tried."""

MARGIN = 0.002
"""How much R@10 + AP@10 a larger share must gain: with a smaller one scores move less."""

LENGTHS = {
    "1-4 words": range(1, 5), "5-9 words": range(5, 10), "10 words and more": range(10, 10**6),
}  # fmt: skip
"""As in BDD-FinLegal (equation 2)."""

FEWEST_QUESTIONS = 50
"""With fewer questions that have an answer among the candidates, trees learn those by heart."""


@dataclass(frozen=True, slots=True)
class LearnedFit:
    """Fitted trees, and how good they are."""

    model: LearnedFusion
    report: tuple[VariantReport, ...]
    held_out: tuple[LearnedFusion, ...]
    """For each fold (`fold_of`), the same fitted to the questions of all others."""


def fit_learned_fusion(
    samples: Sequence[Mapping[Retrievers, CandidateSample]],
    profile: Profile,
    origin: Origin,
    data: Sequence[Mapping[str, Any]] = (),
    settings: BoostingSettings | None = None,
    told: Callable[[str], object] = lambda _: None,
) -> LearnedFit:
    """Fit trees for each combination of retrievers, and measure them on questions left out."""
    settings = settings or BoostingSettings()
    fits = []
    for retrievers in sorted(samples[0] if samples else (), key=sorted):
        told("trees with " + (" and ".join(sorted(retrievers)) or "two retrievers"))
        fits.append(_fit_variant([one[retrievers] for one in samples], retrievers, settings))
    if not fits:
        raise unusable("training.data/learned-none")
    variants, reports, others = zip(*fits, strict=True)
    first = [one[frozenset()] for one in samples]
    record = {
        "data": [dict(one) for one in data],
        "questions": sum(one.kind == "question" for one in first),
        "short_questions": sum(one.kind != "question" for one in first),
        "used_features": list(USED),
        "settings": settings.to_json(),
        "profile": profile.name,
        "report": [one.to_json() for one in reports],
    }
    fitted_for = origin.fitted_for(profile.depth, (one.words for one in first))
    model = LearnedFusion(fitted_for, CANDIDATES, variants, record)
    held_out = (
        tuple(of_fold.get(fold, whole) for of_fold, whole in zip(others, variants, strict=True))
        for fold in range(FOLDS)
    )
    return LearnedFit(model, reports, tuple(replace(model, variants=one) for one in held_out))


def _fit_variant(
    samples: Sequence[CandidateSample], retrievers: Retrievers, settings: BoostingSettings
) -> tuple[Variant, VariantReport, dict[int, Variant]]:
    """Return the trees, their report, and for each fold trees that have not seen its questions."""
    useful = len(learned_from(samples))
    if useful < FEWEST_QUESTIONS:
        raise unusable("training.data/learned", fewest_questions=FEWEST_QUESTIONS, useful=useful)
    by_question = np.array([fold_of(one.question_id) for one in samples])
    by_rulebook = np.array([hash_number(one.document) % FOLDS for one in samples])

    def fit(members: Members) -> Variant | None:
        others = [one for one, member in zip(samples, members, strict=True) if member]
        if not learned_from(others):
            return None
        return Variant(retrievers, *grow(others, settings), weight=1.0)

    judged = _judges(left_out(by_question, fit))
    weight = _weight(samples, judged)
    after = _after(samples, judged, weight)
    elsewhere = _judges(left_out(by_rulebook, fit))
    after_elsewhere = _after(samples, elsewhere, weight)
    parts = _parts(samples)
    report = VariantReport(
        retrievers=tuple(sorted(retrievers)),
        weight=weight,
        least_words=_least_words(samples, after),
        parts={name: gain_of(samples, after, chosen) for name, chosen in parts.items()},
        other_rulebooks={
            name: gain_of(samples, after_elsewhere, known)
            for name, chosen in parts.items()
            if (known := [place for place in chosen if place in elsewhere])
        },
    )
    least = report.least_words
    whole = Variant(retrievers, *grow(samples, settings), weight, least)
    of_fold = {
        int(by_question[place]): replace(one, weight=weight, least_words=least)
        for place, one in judged.items()
    }
    return whole, report, of_fold


def _judges(fitted: Iterable[tuple[Members, Variant]]) -> dict[int, Variant]:
    """Return place of a sample → trees that were grown without it."""
    return {place: one for members, one in fitted for place in np.flatnonzero(members).tolist()}


def _after(
    samples: Sequence[CandidateSample], judges: Mapping[int, Variant], weight: float
) -> list[Array]:
    """Return the scores after the step; those before it where no trees can judge a sample."""
    return [
        final_scores(replace(judges[place], weight=weight), one.rows, one.before).score
        if place in judges
        else one.before
        for place, one in enumerate(samples)
    ]


def _weight(samples: Sequence[CandidateSample], judges: Mapping[int, Variant]) -> float:
    """Return the share of the trees that is best on questions left out."""
    asked = [place for place, one in enumerate(samples) if one.kind == "question"]
    best, found = -3.0, WEIGHTS[0]
    for weight in WEIGHTS:
        after = _after(samples, judges, weight)
        reached = _gained(gain_of(samples, after, asked or range(len(samples))))
        if reached > best + MARGIN:
            best, found = reached, weight
    return found


def _least_words(samples: Sequence[CandidateSample], after: Sequence[Array]) -> int:
    """Return the length from which on, at every length, the step does not lose."""
    least = max(one.start for one in LENGTHS.values())
    for lengths in reversed(LENGTHS.values()):
        chosen = [place for place, one in enumerate(samples) if one.words in lengths]
        if not chosen or _gained(gain_of(samples, after, chosen)) < 0:
            break
        least = lengths.start
    return least


def _parts(samples: Sequence[CandidateSample]) -> dict[str, list[int]]:
    """Return the samples of each part of the report."""
    parts = {"questions": [n for n, one in enumerate(samples) if one.kind == "question"]}
    for name, lengths in LENGTHS.items():
        parts[name] = [place for place, one in enumerate(samples) if one.words in lengths]
    return {name: chosen for name, chosen in parts.items() if chosen}
