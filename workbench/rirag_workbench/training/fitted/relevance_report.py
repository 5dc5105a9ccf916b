"""How well a calibration keeps its word, and how well it tells answerable questions from others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.reports.tables import Table, to_text
from search.json_form import Record
from search.ranking.learned.features import Array

BINS = 10
"""Bins of equal width for the expected calibration error (Guo et al., ICML 2017)."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of about one size, and what came true of them."""

    predicted: float
    observed: float
    weight: float
    """Share of all predictions."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question that nothing was fitted to, with what the calibration says of it."""

    source: str
    """`answerable`, or where it comes from."""
    kind: str
    words: int
    answerable: float
    relevance: Array
    """Of its best hits."""
    answers: NDArray[np.bool_]
    """Which of them answer it."""


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """One combination of retrievers."""

    retrievers: tuple[str, ...]
    auroc: dict[str, float]
    """Source of unanswerable questions → how surely an answerable one, as it was asked, gets the
    higher probability; `all`: every source counts alike."""
    auroc_short: float | None
    """The same for questions below ten words, all sources together; None: there are none."""
    ece_answerable: float
    """Expected calibration error where half of the questions have an answer."""
    ece_relevance: float
    """The same of hits, where half of the questions have an answer."""
    bins_answerable: tuple[Bin, ...]
    bins_relevance: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class NearnessReport:
    """How well the nearest vector alone parts questions."""

    auroc: dict[str, float]
    """Source of unanswerable questions → how surely an answerable one is nearer to a passage."""
    declined: dict[str, float]
    """Source, `answerable` among them → share of its questions below `DOUBTFUL`."""


@dataclass(frozen=True, slots=True)
class RelevanceReport(Record):
    """All combinations of retrievers."""

    calibrations: tuple[CalibrationReport, ...]
    nearness: NearnessReport
    """Of the nearest vector alone, for documents that nothing was fitted on."""

    def to_table(self) -> str:
        """Return lines to read."""
        rows = [
            (" + ".join(("lexical", "dense", *one.retrievers)), *one.auroc.values(),
             one.auroc_short, one.ece_answerable, one.ece_relevance)
            for one in self.calibrations
        ]  # fmt: skip
        sources = tuple(self.calibrations[0].auroc)
        errors = ("below ten words", "error: answerable", "error: relevance")
        declined = self.nearness.declined.items()
        near = [(name, self.nearness.auroc.get(name), f"{share:.1%}") for name, share in declined]
        return to_text([
            Table("AUROC of answerable questions against", (*sources, *errors), rows),
            Table("the nearest vector alone, for other documents", ("AUROC", "declined"), near),
        ])  # fmt: skip


def report_of(retrievers: tuple[str, ...], judged: Sequence[Judged]) -> CalibrationReport:
    """Measure one calibration on questions left out of its fit."""
    asked = [one for one in judged if one.kind == "question"]
    with_answer = [one.answerable for one in asked if one.source == "answerable"]
    sources = sorted({one.source for one in judged} - {"answerable"})
    parted = {
        name: auroc(with_answer, [one.answerable for one in asked if one.source == name])
        for name in sources
    }
    short = [one for one in judged if one.words < 10]
    weights = _half_and_half([one.source for one in judged])
    hits = [len(one.relevance) for one in judged]
    bins_answerable = reliability(
        [one.answerable for one in judged], [one.source == "answerable" for one in judged], weights
    )
    bins_relevance = reliability(
        np.concatenate([one.relevance for one in judged]),
        np.concatenate([one.answers for one in judged]),
        np.repeat(weights, hits),
    )
    return CalibrationReport(
        retrievers=retrievers,
        auroc=parted | ({"all": float(np.mean(list(parted.values())))} if parted else {}),
        auroc_short=_auroc_of(short),
        ece_answerable=calibration_error(bins_answerable),
        ece_relevance=calibration_error(bins_relevance),
        bins_answerable=bins_answerable,
        bins_relevance=bins_relevance,
    )


def reliability(
    predicted: Sequence[float] | Array, true: Sequence[bool] | NDArray[np.bool_], weights: Array
) -> tuple[Bin, ...]:
    """Return the bins of a reliability diagram, lowest first; empty ones are left out."""
    values, came = np.asarray(predicted, dtype=float), np.asarray(true, dtype=float)
    places = np.minimum((values * BINS).astype(int), BINS - 1)
    found = []
    for place in range(BINS):
        weight = weights * (places == place)
        if weight.sum() > 0:
            found.append(
                Bin(
                    float(np.average(values, weights=weight)),
                    float(np.average(came, weights=weight)),
                    float(weight.sum() / weights.sum()),
                )
            )
    return tuple(found)


def calibration_error(bins: Iterable[Bin]) -> float:
    """Return the expected calibration error: mean distance of what was said and what came true."""
    return sum(one.weight * abs(one.predicted - one.observed) for one in bins)


def _half_and_half(sources: Sequence[str]) -> Array:
    """Weigh answerable questions as much as all others; these, source by source, alike."""
    names = np.array(sources)
    others = sorted(set(sources) - {"answerable"})
    share = {name: 1 / len(others) for name in others} | {"answerable": 1.0}
    counts = {name: max(1, int((names == name).sum())) for name in share}
    return np.array([share[name] / counts[name] for name in sources])


def _auroc_of(judged: Sequence[Judged]) -> float | None:
    with_answer = [one.answerable for one in judged if one.source == "answerable"]
    without = [one.answerable for one in judged if one.source != "answerable"]
    return auroc(with_answer, without) if with_answer and without else None


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return how often a positive is above a negative, ties counted half (Mann and Whitney)."""
    if not len(positive) or not len(negative):
        return float("nan")
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(positive, negative).statistic / (len(positive) * len(negative)))
