"""Fitting a fusion profile: the lexical weight by length, document and votes weight, and depth.

Weights are chosen by grid search for R@10 + AP@10. Which lengths have a weight of their own, how
deep the retrievers go, and how good the result is, is judged by cross-validation: on questions that
the weights were not fitted to. What is returned is then fitted to all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rirag.progress import Progress
from rirag_workbench.evaluation.statistics import randomisation_test
from rirag_workbench.training.data.held_out import FOLDS
from rirag_workbench.training.data.questions_to_fit import OwnKnown, QuestionToFit
from rirag_workbench.training.data.samples import Array, RetrievalSample, Weights
from rirag_workbench.training.profile.fitted import Boundaries, FittedProfile, Part, Quality, Tried
from rirag_workbench.training.profile.grid import MIN_QUESTIONS, Grid, Members, Table, weighted_mean
from search.errors import InputError
from search.pipeline import Pipeline
from search.ranking.profile_file import load_profile
from search.ranking.profiles import AlphaStep, Profile
from search.records import Filters

BASE: Boundaries = (5, 10)
"""The lengths of BDD-FinLegal (equation 2)."""

DEPTHS = (50, 100, 200)
"""Depths of the retrievers that are tried; the second is what RIRAG takes."""

DIVISIONS: tuple[Boundaries, ...] = (
    BASE, (), (5,), (10,), (3, 5, 10), (5, 10, 20), (5, 10, 30)
)  # fmt: skip
"""Divisions that are tried; the first is that of the paper and preferred. One weight for all
lengths is there to be held against the others; it is taken only where there are too few questions
for them."""

MARGIN = 0.001
"""How much R@10 + AP@10 another division or depth must gain to be taken instead of the preferred
one; where there are few questions it must gain a standard error of the difference."""

OVERALL = "all, weighted"
"""The part of all questions: they count as in the fit, and in other parts each counts alike."""

T = TypeVar("T")


def default_weights(before: Profile, *, memory: bool) -> Weights:
    """Return the weights that are tried.

    The document weights lie around the 0.1 of RIRAG, appendix A.7.

    Args:
        before: has the weights of headings, which are not fitted: almost no answer is a heading.
        memory: whether there are answered questions.
    """
    return Weights(
        alphas=np.round(np.arange(21) * 0.05, 2),
        documents=np.array([0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4]),
        memory=np.array([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6] if memory else [0.0]),
        heading=before.heading_weight,
    )


def fit_profile(
    table: Table,
    before: str,
    *,
    divisions: Sequence[Boundaries] = DIVISIONS,
    usual_depth: int = 100,
    min_questions: int = MIN_QUESTIONS,
) -> FittedProfile:
    """Fit lexical weights by length, one document weight, one votes weight and the depth.

    Args:
        table: every question under every combination of weights.
        before: the profile among `table.compared` that the result is held against.
        divisions: lengths that may have weights of their own, the preferred division first.
        usual_depth: preferred depth.
        min_questions: a division needs so many questions of each length.

    Raises:
        InputError: there are too few questions.
    """
    first_grid = next(iter(table.grids.values()))
    possible = [one for one in divisions if first_grid.enough(one, min_questions)]
    if not possible:
        raise InputError(
            f"there are too few questions to fit a profile; give at least {min_questions} that "
            "the encoder was not trained on.",
            code="training.data",
        )
    depths = {depth: _judge(possible[0], grid) for depth, grid in table.grids.items()}
    first = usual_depth if usual_depth in depths else next(iter(depths))
    depth = _best(depths, first, table.importance)
    grid = table.grids[depth]
    judged = {one: _judge(one, grid) for one in possible}
    adaptive = {one: found for one, found in judged.items() if one} or judged
    division = _best(adaptive, next(iter(adaptive)), table.importance)
    choice = best_steps(division, grid, np.ones(len(grid.words), np.bool_))
    return FittedProfile(
        rows=choice.rows,
        document_weight=float(grid.weights.documents[choice.document]),
        votes_weight=float(grid.weights.memory[choice.memory]) if table.has_memory else None,
        depth=depth,
        before=before,
        parts=tuple(_parts(table, grid, judged[division].values, before)),
        forms=tuple(Tried(steps_name(one), found.quality) for one, found in judged.items()),
        depths=tuple(Tried(f"depth {one}", found.quality) for one, found in depths.items()),
    )


@dataclass(frozen=True, slots=True)
class Choice:
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
        return np.asarray(
            grid.values[rows, self.alphas[rows], self.document, self.memory], np.float64
        )


def best_steps(division: Boundaries, grid: Grid, members: Members) -> Choice:
    """Choose for some samples a weight for each length, and one pair of the others for all.

    Steps by length are the form of BDD-FinLegal (equation 2).
    """
    buckets = grid.buckets(division)
    sums = np.array([grid.sums(bucket & members) for bucket in buckets])
    document, memory = _middle_of_best_pair(sums.max(axis=1).sum(axis=0))
    chosen = [_middle_of_best(of_length[:, document, memory]) for of_length in sums]
    longest = [below - 1 for below in division]
    rows = tuple(
        AlphaStep(float(grid.weights.alphas[alpha]), words)
        for alpha, words in zip(chosen, [*longest, None], strict=True)
    )
    return Choice(rows, np.array(chosen)[np.digitize(grid.words, division)], document, memory)


def steps_name(division: Boundaries) -> str:
    """Return the lengths of a division, such as `steps 1-4, 5-9, 10+`."""
    edges = pairwise((1, *division))
    lengths = [f"{least}-{below - 1}" for least, below in edges]
    return f"steps {', '.join([*lengths, f'{(1, *division)[-1]}+'])}"


def _middle_of_best(values: Array) -> int:
    """Return the middle place among those that are best, away from the edges of a plateau."""
    best = np.flatnonzero(values >= values.max() - 1e-9)
    return int(best[len(best) // 2])


def _middle_of_best_pair(values: Array) -> tuple[int, int]:
    document, memory = np.unravel_index(_middle_of_best(values.ravel()), values.shape)
    return int(document), int(memory)


@dataclass(frozen=True, slots=True)
class _Judged:
    values: Array
    """R@10 and AP@10 of every sample under weights fitted without it, shape (samples, 2)."""
    quality: Quality


def _judge(division: Boundaries, grid: Grid) -> _Judged:
    """Fit to all parts but one and measure on that one, each in turn."""
    values = np.zeros((len(grid.words), 2))
    for fold in range(FOLDS):
        held_out = grid.folds == fold
        choice = best_steps(division, grid, ~held_out)
        values[held_out] = choice.values(grid, held_out)
    return _Judged(values, weighted_mean(values, grid.importance))


def _best(judged: Mapping[T, _Judged], preferred: T, importance: Array) -> T:
    best = preferred
    for one, found in judged.items():
        if _gains(found.values - judged[best].values, importance):
            best = one
    return best


def _gains(differences: Array, importance: Array) -> bool:
    """Return whether differences in R@10 and AP@10, shape (samples, 2), are more than chance."""
    shares = importance / importance.sum()
    each = differences.sum(axis=1)
    mean = float(shares @ each)
    error = float(np.sqrt(((shares * (each - mean)) ** 2).sum()))
    return mean > max(MARGIN, error)


def _parts(table: Table, grid: Grid, after: Array, before: str) -> list[Part]:
    parts: list[tuple[str, Members]] = [
        (_length(place), members) for place, members in enumerate(grid.buckets(BASE))
    ]
    kinds = np.array(table.kinds)
    if len(set(table.kinds)) > 1:
        parts += [(kind, kinds == kind) for kind in dict.fromkeys(table.kinds)]
    alike = np.ones(len(kinds))
    found = [
        _part(name, members, table, alike, after, before)
        for name, members in parts
        if members.any()
    ]
    everything = np.ones(len(kinds), np.bool_)
    return [*found, _part(OVERALL, everything, table, grid.importance, after, before)]


def _part(
    name: str, members: Members, table: Table, importance: Array, after: Array, before: str
) -> Part:
    weights = importance[members]
    measured = {
        profile: weighted_mean(values[members], weights)
        for profile, values in table.compared.items()
    }
    differences = (after - table.compared[before])[members].sum(axis=1) * weights
    return Part(
        name=name,
        before=measured.pop(before),
        after=weighted_mean(after[members], weights),
        p_value=randomisation_test(differences),
        compared=measured,
    )


def _length(place: int) -> str:
    least = (1, *BASE)[place]
    return f"{least}+ words" if place == len(BASE) else f"{least}-{BASE[place] - 1} words"


def every_retriever(depth: int) -> Profile:
    """Return a profile under which no retriever is left out, so deep."""
    return replace(load_profile("even"), depth=depth, document_weight=0.1, votes_weight=0.1)


def retrieval_samples(
    pipeline: Pipeline, questions: Iterable[QuestionToFit], depth: int, own: OwnKnown,
    progress: Progress,
) -> Iterator[RetrievalSample]:  # fmt: skip
    """Yield each question's candidates from the retrievers at this depth and from the memory."""
    profile = every_retriever(depth)
    ids = {candidate.key: passage.id for candidate, passage in pipeline.engine.find(Filters())}
    for question in questions:
        same = own.get(question.question_id, ())
        found = pipeline.find(pipeline.prepare(question.text, profile, None, same))
        results, memory = found.results, found.recalled.candidates
        candidates = (*results.lexical, *results.dense, *memory)
        yield RetrievalSample(
            question_id=question.question_id,
            words=found.question.words,
            relevant=question.relevant,
            lexical={ids[one.key]: one.score for one in results.lexical},
            dense={ids[one.key]: one.score for one in results.dense},
            documents=dict(results.documents),
            document_of={ids[one.key]: one.document_id for one in candidates},
            memory={ids[one.key]: one.score for one in memory},
            headings=frozenset(ids[one.key] for one in candidates if one.kind == "heading"),
            kind=question.kind,
        )
        progress()
