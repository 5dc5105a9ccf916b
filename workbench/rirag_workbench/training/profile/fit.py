"""Fitting a fusion profile: the lexical weight by length, the document and the votes weight.

Weights are chosen by grid search for R@10 + AP@10. How good the result is, is told by
cross-validation: on questions that the weights were not fitted to. What is returned is then fitted
to all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.refusals import unusable
from rirag_workbench.reports.tables import Table, to_text
from rirag_workbench.training.figures import Array, Figures, Gain, Members, gain_table, left_out
from rirag_workbench.training.profile.grid import LENGTHS, MIN_QUESTIONS, Grid, Weights
from search.json_form import Record
from search.ranking.profiles import AlphaStep, Profile

OVERALL = "all, weighted"
"""The part of all questions: they count as in the fit, and in other parts each counts alike."""


@dataclass(frozen=True, slots=True)
class RerankFit(Record):
    """How many candidates a reranker should read, and what its opinion should weigh."""

    reranker: str
    count: int
    weight: float
    gain: Gain
    """By the reranker, with weights that were fitted to other questions (cross-validation)."""


@dataclass(frozen=True, slots=True)
class FittedProfile(Record):
    """The fitted weights and how they were found."""

    rows: tuple[AlphaStep, ...]
    document_weight: float
    votes_weight: float | None
    """None: it was not fitted, for there are no answered questions."""
    before: str
    """Name of the profile that it is compared with."""
    parts: Mapping[str, Gain]
    """By length, by kind, and last all questions, against that profile (cross-validation)."""
    compared: Mapping[str, Figures]
    """Name of another profile → its figures on all questions, weighted."""
    rerank: RerankFit | None = None

    def to_profile(self, base: Profile, name: str, source: str) -> Profile:
        """Return the profile; what was not fitted is as in `base`.

        Models that were fitted with the weights of `base` do not hold for others: they go.
        """
        reranking = self.rerank
        return replace(
            base,
            name=name,
            source=source,
            fusion="convex",
            learned="",
            relevance="",
            elsewhere="",
            alpha_covered=0.0,
            alpha=self.rows,
            alpha_shape="steps",
            document_weight=self.document_weight,
            votes_weight=(base.votes_weight if self.votes_weight is None else self.votes_weight),
            rerank_count=reranking.count if reranking else base.rerank_count,
            rerank_weight=reranking.weight if reranking else base.rerank_weight,
        )

    def to_table(self) -> str:
        """Return the weights and their quality as lines to read."""
        votes = "not fitted" if self.votes_weight is None else f"{self.votes_weight:g}"
        weights = [
            ("alpha", _alpha_text(self.rows)),
            ("document weight", f"{self.document_weight:g}"),
            ("votes weight", votes),
        ]
        tables = [gain_table(f"against {self.before}", self.parts)]
        if self.compared:
            rows = [(name, *_cells(one)) for name, one in self.compared.items()]
            tables.append(Table(f"{OVERALL}, under", ("R@10", "AP@10"), rows))
        if self.rerank is not None:
            best = f"best {self.rerank.count} by {self.rerank.reranker}"
            weights.append(("rerank", f"{best}, weight {self.rerank.weight:g}"))
            tables.append(gain_table("without and with it", {"rerank": self.rerank.gain}))
        return to_text(tables, after=[f"{name:16} {value}" for name, value in weights])


def _cells(one: Figures) -> tuple[float, float]:
    return one.recall, one.average_precision


def _alpha_text(rows: tuple[AlphaStep, ...]) -> str:
    return ", ".join(
        f"{row.value:g} " + ("above" if row.words is None else f"up to {row.words} words")
        for row in rows
    )


def default_weights(before: Profile, *, memory: bool) -> Weights:
    """Return the weights that are tried.

    The document weights lie around the 0.1 of RIRAG, appendix A.7.
    """
    return Weights(
        alphas=np.round(np.arange(21) * 0.05, 2),
        documents=np.array([0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4]),
        memory=np.array([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6] if memory else [0.0]),
        heading=before.heading_weight,
    )


def fit_profile(grid: Grid, before: str) -> FittedProfile:
    """Fit a lexical weight for each length, one document weight and one votes weight.

    Where a length has too few questions, all lengths get one lexical weight.
    """
    if len(grid.words) < MIN_QUESTIONS:
        raise unusable("training.data/profile", min_questions=MIN_QUESTIONS)
    enough = all(bucket.sum() >= MIN_QUESTIONS for bucket in grid.buckets(LENGTHS))
    division = LENGTHS if enough else ()
    after = np.zeros((len(grid.words), 2))
    for members, chosen in left_out(grid.folds, lambda some: _best(grid, division, some)):
        after[members] = chosen.values(grid, members)
    choice = _best(grid, division, np.ones(len(grid.words), np.bool_))
    held_against = grid.compared[before]
    parts = {name: Gain.of(held_against[members], after[members]) for name, members in _parts(grid)}
    return FittedProfile(
        rows=choice.rows,
        document_weight=float(grid.weights.documents[choice.document]),
        votes_weight=float(grid.weights.memory[choice.memory]) if grid.has_memory else None,
        before=before,
        parts={**parts, OVERALL: Gain.of(held_against, after, grid.importance)},
        compared={
            name: Figures.of(values, grid.importance)
            for name, values in grid.compared.items()
            if name != before
        },
    )


@dataclass(frozen=True, slots=True)
class _Choice:
    """Weights chosen on some samples of a grid."""

    rows: tuple[AlphaStep, ...]
    alphas: NDArray[np.intp]
    """Place in the grid of each sample's lexical weight, shape (samples,)."""
    document: int
    """Place in the grid of the document weight."""
    memory: int
    """Place in the grid of the votes weight."""

    def values(self, grid: Grid, members: Members) -> Array:
        """Return R@10 and AP@10 of some samples, shape (members, 2)."""
        rows = np.flatnonzero(members)
        found = grid.values[rows, self.alphas[rows], self.document, self.memory]
        return np.asarray(found, np.float64)


def _best(grid: Grid, division: tuple[int, ...], members: Members) -> _Choice:
    """Choose for some samples a weight for each length, and one pair of the others for all."""
    sums = np.array([grid.sums(bucket & members) for bucket in grid.buckets(division)])
    pairs = sums.max(axis=1).sum(axis=0)
    document, memory = np.unravel_index(_middle_of_best(pairs.ravel()), pairs.shape)
    chosen = [_middle_of_best(of_length[:, document, memory]) for of_length in sums]
    longest = [*(below - 1 for below in division), None]
    rows = tuple(
        AlphaStep(float(grid.weights.alphas[alpha]), words)
        for alpha, words in zip(chosen, longest, strict=True)
    )
    alphas = np.array(chosen)[np.digitize(grid.words, division)]
    return _Choice(rows, alphas, int(document), int(memory))


def _middle_of_best(values: Array) -> int:
    """Return the middle place among those that are best, away from the edges of a plateau."""
    best = np.flatnonzero(values >= values.max() - 1e-9)
    return int(best[len(best) // 2])


def _parts(grid: Grid) -> Iterator[tuple[str, Members]]:
    """Yield the samples of each length, and of each kind if there are several."""
    names = ("1-4 words", "5-9 words", "10+ words")
    for name, members in zip(names, grid.buckets(LENGTHS), strict=True):
        if members.any():
            yield name, members
    kinds = dict.fromkeys(grid.kinds.tolist())
    for kind in kinds if len(kinds) > 1 else ():
        yield kind, grid.kinds == kind
