"""Agreement with intervals: bootstrap samples of whole questions."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rirag_workbench.evaluation.agreement.coefficients import (
    COEFFICIENTS,
    NUMERIC,
    Coefficient,
    Table,
)
from rirag_workbench.evaluation.agreement.ratings import Ratings, Value
from rirag_workbench.evaluation.bootstrap import SAMPLES, interval
from search.json_form import Record

MOST_TIMES = 5
"""If the largest ratings of two raters are further apart, their scales may differ."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A coefficient."""

    value: float | None
    """None: it is not defined for these ratings."""
    low: float | None = None
    """Bounds of the 95 % interval; None: too few samples have a value."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement(Record):
    """How far raters agree."""

    raters: tuple[str, ...]
    items: int
    """Rated by two raters or more."""
    questions: int
    figures: Mapping[str, Figure]
    prevalence: Mapping[str, float]
    """Rating → its share of all ratings."""
    notes: tuple[str, ...] = ()
    """What makes the figures doubtful."""

    @property
    def undefined(self) -> str:
        """Why a coefficient has no value."""
        if len(self.prevalence) == 1:
            return f"not defined: all ratings are {next(iter(self.prevalence))}"
        return "not defined: the ratings of the shared items do not vary enough"

    json_form = "raters items questions agreement=figures prevalence notes"


def agreement_of(ratings: Ratings, samples: int = SAMPLES) -> Agreement:
    """Return every coefficient with its interval."""
    table = _numbers(ratings)
    usable = (~np.isnan(table)).sum(axis=1) >= 2
    clusters = [one for one, counts in zip(ratings.clusters, usable, strict=True) if counts]
    names = [name for name in COEFFICIENTS if ratings.is_numeric or name not in NUMERIC]
    figures = {
        name: _figure(COEFFICIENTS[name], table, table[usable], clusters, samples) for name in names
    }
    given = Counter(one for row in ratings.values for one in row if one is not None)
    total = given.total()
    prevalence = {_shown(one): given[one] / total for one in sorted(given, key=_order)}
    notes = _scale_notes(ratings.raters, table) if ratings.is_numeric else ()
    return Agreement(ratings.raters, len(clusters), len(set(clusters)), figures, prevalence, notes)


def _scale_notes(raters: Sequence[str], table: Table) -> tuple[str, ...]:
    """Return a note if one rater's largest rating is many times another's."""
    largest = np.nanmax(abs(table), axis=0)
    low, high = int(largest.argmin()), int(largest.argmax())
    if not 0 < MOST_TIMES * largest[low] < largest[high]:
        return ()
    return (
        f"the largest rating of {raters[low]} is {largest[low]:g}, that of {raters[high]} "
        f"{largest[high]:g}; check that they use the same scale",
    )


def _numbers(ratings: Ratings) -> Table:
    """Return the table with a number for each category."""
    seen = {one for row in ratings.values for one in row if isinstance(one, str)}
    codes = {one: float(place) for place, one in enumerate(sorted(seen))}
    return np.array(
        [
            [np.nan if one is None else codes[one] if isinstance(one, str) else one for one in row]
            for row in ratings.values
        ]
    )


def _figure(
    coefficient: Coefficient, whole: Table, usable: Table, clusters: Sequence[str], samples: int
) -> Figure:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # samples that are all alike divide by zero
        value = coefficient(whole)
        if value is None:
            return Figure(None)
        bounds = interval(clusters, lambda rows: coefficient(usable[rows]), samples)
    return Figure(value, *(bounds or ()))


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _order(value: Value) -> tuple[bool, float, str]:
    return (isinstance(value, str), 0.0, value) if isinstance(value, str) else (False, value, "")


def to_table(found: Agreement) -> str:
    """Return lines to read."""
    lines = [
        f"{len(found.raters)} raters: {', '.join(found.raters)}",
        f"{found.items:,} items rated by two or more, of {found.questions:,} questions",
        "",
    ]
    for name, one in found.figures.items():
        if one.value is None:
            lines.append(f"{name:27} {found.undefined}")
        else:
            bounds = "" if one.low is None else f"   95 % {one.low:.4f} to {one.high:.4f}"
            lines.append(f"{name:27} {one.value:7.4f}{bounds}")
    shares = ", ".join(f"{name} {share:.1%}" for name, share in found.prevalence.items())
    notes = (f"note: {note}" for note in found.notes)
    return "\n".join([*lines, "", f"prevalence: {shares}", *notes])
