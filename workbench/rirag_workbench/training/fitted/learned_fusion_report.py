"""What fitting learned ranking found, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rirag_workbench.evaluation.significance import randomisation_test
from rirag_workbench.training.fitted.candidate_samples import CandidateSample
from rirag_workbench.training.ranking.figures import quality
from search.ranking.learned.features import Array


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
