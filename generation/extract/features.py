"""What speaks for a unit as the answer to a question, as numbers for the sentence selector."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generation.extract.asked import asked_kinds
from generation.text.obligations import DUTIES, StatementKind
from generation.text.statements.units import Unit
from generation.text.subject import bare, subject, terms_of
from generation.text.values import REFERENCE, values_in
from search.text.analyzer import tokens

Array = NDArray[np.float64]

NAMES = (
    "share", "own share", "heading share", "whole share", "below best", "pairs",
    "duty", "definition", "permission", "no kind", "place", "words", "short",
    "is item", "is row", "time", "money", "percent", "number", "actor", "negation", "references",
    "asked time has", "asked money has", "asked percent has", "asked number has",
    "asked actor has", "asked yes-no negation", "asked yes-no permission", "asked yes-no duty",
    "asked definition has", "asked list item", "asked consequence has",
)  # fmt: skip
"""The columns, in order."""

SEARCH_NAMES = ("score below best", "log rank", "left out")
"""What the search says of the passage of a unit, in order."""

MEANING_NAMES = ("similarity", "similarity below best")
"""How alike unit and question are in meaning, where that is known."""

FEWEST_WORDS = 8
"""A unit with fewer words is seldom a whole answer."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit with where it is."""

    unit: Unit
    kind: StatementKind
    hit: int
    """Index of its hit."""
    place: float
    """Where it is in its hit, from 0 (first) to 1 (last)."""
    heading: frozenset[str]
    """Index terms of title and headings above it."""


class Subject:
    """The terms that name the subject of a question, rare ones counting more."""

    def __init__(self, question: str, weights: Mapping[str, float]) -> None:
        """Weigh the terms; `weights` are their rarities in the index (`Library.rarities`)."""
        self.weights = {term: weights.get(term, 0.0) for term in subject(question)}
        self._total = sum(self.weights.values())
        self._forms = [(term, bare(term), weight) for term, weight in self.weights.items()]

    def share(self, terms: frozenset[str]) -> float:
        """Return the part of the subject that some terms speak of, 0 to 1."""
        if not self._total:
            return 0.0
        held = sum(weight for term, short, weight in self._forms if term in terms or short in terms)
        return held / self._total


def features_of(question: str, units: Sequence[Placed], about: Subject) -> Array:
    """Return the features of units, shape (units, `NAMES`)."""
    asked, pairs = asked_kinds(question), _pairs(question)
    whole: dict[int, frozenset[str]] = {}
    for one in units:
        whole[one.hit] = whole.get(one.hit, one.heading) | one.unit.terms
    wholes = {hit: about.share(terms) for hit, terms in whole.items()}
    shares = [about.share(one.unit.terms | one.heading) for one in units]
    best = max(shares, default=0.0)
    rows = []
    for one, share in zip(units, shares, strict=True):
        unit, kind = one.unit, one.kind
        has = values_in(unit.own) | values_in(unit.text, {"negation", "permission"})
        role, duty = unit.statement.pieces[unit.core].role, kind in DUTIES
        listed = role in ("item", "row") or len(unit.pieces) > 1
        rows.append([
            about.share(unit.terms), about.share(terms_of(unit.own)),
            about.share(one.heading), wholes[one.hit], best - share,
            len(pairs & _pairs(unit.text)) / (1 + len(pairs)),
            duty, kind == "definition", kind == "permission", kind == "other",
            one.place, math.log1p(unit.words), unit.words < FEWEST_WORDS,
            role == "item", role == "row",
            "time" in has, "money" in has, "percent" in has, "number" in has, "actor" in has,
            "negation" in has, math.log1p(len(REFERENCE.findall(unit.text))),
            bool({"time", "date"} & asked & has) or ("date" in asked and "time" in has),
            "money" in asked and "money" in has,
            "percent" in asked and bool(has & {"percent", "number"}),
            "number" in asked and bool(has & {"percent", "number"}),
            "actor" in asked and "actor" in has,
            "yes-no" in asked and "negation" in has,
            "yes-no" in asked and "permission" in has,
            "yes-no" in asked and duty,
            "definition" in asked and kind == "definition",
            "list" in asked and listed,
            "consequence" in asked and bool(has & {"money", "negation"}),
        ])  # fmt: skip
    return np.asarray(rows, np.float64).reshape(len(units), len(NAMES))


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(tokens(text)))
