"""How the lexical weight may follow the length of a question, and the best of each form.

A form is fitted to some samples of a grid and says the weight of every sample, so that forms can be
compared on samples that they were not fitted to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.training.profile.fitted import Boundaries
from rirag_workbench.training.profile.grid import Grid, Members
from rirag_workbench.training.ranking.samples import Array
from search.ranking.profiles import AlphaShape, AlphaStep

SWEEPS = 4
"""Rounds of coordinate ascent; the third already changes nothing on ObliQA's questions."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Weights chosen on some samples of a grid."""

    rows: tuple[AlphaStep, ...]
    shape: AlphaShape
    alphas: NDArray[np.intp]
    """Place in the grid of each sample's lexical weight, shape (samples,)."""
    document: int
    """Place in the grid of the document weight."""
    memory: int
    """Place in the grid of the votes weight."""

    def values(self, grid: Grid, members: Members) -> Array:
        """Return R@10 and AP@10 of some samples, shape (members, 2)."""
        rows = np.flatnonzero(members)
        return np.asarray(
            grid.values[rows, self.alphas[rows], self.document, self.memory], np.float64
        )


class Form(Protocol):
    """A way in which the lexical weight follows the length."""

    @property
    def division(self) -> Boundaries:
        """Return lengths that each need enough questions for the form to be fitted."""
        ...

    def fit(self, grid: Grid, members: Members) -> Choice:
        """Choose the weights that are best for some samples."""
        ...


@dataclass(frozen=True, slots=True)
class Steps:
    """One weight for each length of a division, as in BDD-FinLegal (equation 2)."""

    division: Boundaries

    def __str__(self) -> str:
        edges = pairwise((1, *self.division))
        lengths = [f"{least}-{below - 1}" for least, below in edges]
        last = (1, *self.division)[-1]
        return f"steps {', '.join([*lengths, f'{last}+'])}"

    def fit(self, grid: Grid, members: Members) -> Choice:
        """Choose a weight for each length, and one pair of the others for all."""
        buckets = grid.buckets(self.division)
        sums = np.array([grid.sums(bucket & members) for bucket in buckets])
        document, memory = _middle_of_best_pair(sums.max(axis=1).sum(axis=0))
        chosen = [_middle_of_best(of_length[:, document, memory]) for of_length in sums]
        longest = [below - 1 for below in self.division]
        rows = tuple(
            AlphaStep(float(grid.weights.alphas[alpha]), words)
            for alpha, words in zip(chosen, [*longest, None], strict=True)
        )
        alphas = np.array(chosen)[np.digitize(grid.words, self.division)]
        return Choice(rows, "steps", alphas, document, memory)


@dataclass(frozen=True, slots=True)
class Smooth:
    """Weights at some lengths, and straight lines between them over the logarithm of the length."""

    knots: tuple[int, ...]

    @property
    def division(self) -> Boundaries:
        """Return the knots between the first and the last, or the middle between these."""
        first, *inner, last = self.knots
        return tuple(inner) or (math.ceil(math.sqrt(first * last)),)

    def __str__(self) -> str:
        return f"smooth through {', '.join(map(str, self.knots))} words"

    def fit(self, grid: Grid, members: Members) -> Choice:
        """Choose a weight for each knot in turn, until none changes."""
        start = Steps(()).fit(grid, members)
        document, memory = start.document, start.memory
        chosen = [int(start.alphas[0])] * len(self.knots)
        for _ in range(SWEEPS):
            before = list(chosen), document, memory
            table = grid.values[:, :, document, memory].sum(axis=-1)
            for knot in range(len(self.knots)):
                tried = [
                    self._objective(grid, members, table, _with(chosen, knot, place))
                    for place in range(len(grid.weights.alphas))
                ]
                chosen[knot] = _middle_of_best(np.array(tried))
            document, memory = self._pair(grid, members, chosen)
            if before == (chosen, document, memory):
                break
        rows = tuple(
            AlphaStep(float(grid.weights.alphas[place]), words)
            for place, words in zip(chosen, self.knots, strict=True)
        )
        return Choice(rows, "smooth", self._places(grid, chosen), document, memory)

    def _places(self, grid: Grid, chosen: list[int]) -> NDArray[np.intp]:
        at = np.interp(np.log(grid.words), np.log(self.knots), grid.weights.alphas[chosen])
        return np.asarray(np.abs(grid.weights.alphas - at[:, None]).argmin(axis=1))

    def _objective(self, grid: Grid, members: Members, table: Array, chosen: list[int]) -> float:
        reached = table[np.arange(len(table)), self._places(grid, chosen)]
        return float((reached * grid.importance)[members].sum())

    def _pair(self, grid: Grid, members: Members, chosen: list[int]) -> tuple[int, int]:
        rows = np.flatnonzero(members)
        found = grid.values[rows, self._places(grid, chosen)[rows]].sum(axis=-1)
        return _middle_of_best_pair(np.tensordot(grid.importance[rows], found, axes=1))


def _with(chosen: list[int], knot: int, place: int) -> list[int]:
    return [*chosen[:knot], place, *chosen[knot + 1 :]]


def _middle_of_best(values: Array) -> int:
    """Return the middle place among those that are best, away from the edges of a plateau."""
    best = np.flatnonzero(values >= values.max() - 1e-9)
    return int(best[len(best) // 2])


def _middle_of_best_pair(values: Array) -> tuple[int, int]:
    document, memory = np.unravel_index(_middle_of_best(values.ravel()), values.shape)
    return int(document), int(memory)
