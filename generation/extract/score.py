"""Score units: does this statement answer this question?

The log-odds are a weighted sum of what words, form, search and meaning say of a unit. The weights
are in `scorer.json`, with the data and figures of their fit under `fitted`.
`python -m benchmarks.sentence_selector` fits such a file to indexes and their questions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.extract.asked import asked_kinds
from generation.extract.pointers import points_on
from generation.extract.units import Candidate
from generation.text.statements.units import Unit
from generation.text.subject import bare, subject, terms_of
from generation.text.values import REFERENCE, values_in
from search.records import Hit
from search.text.analyzer import tokens

Array = NDArray[np.float64]
Similarities = Callable[[str, Sequence[str]], Sequence[float]]
"""Question and texts → how alike they are in meaning (`Library.similarities`)."""

FILE = Path(__file__).with_name("scorer.json")

NAMES = (
    "share", "own share", "heading share", "whole share", "below best", "pairs",
    "duty", "definition", "permission", "no kind", "place", "words", "short",
    "is item", "is row", "time", "money", "percent", "number", "actor", "negation", "references",
    "asked time has", "asked money has", "asked percent has", "asked number has",
    "asked actor has", "asked yes-no negation", "asked yes-no permission", "asked yes-no duty",
    "asked definition has", "asked list item", "asked consequence has",
    "score below best", "log rank",
)  # fmt: skip
"""The columns, in order."""

MEANING_NAMES = ("similarity", "similarity below best")
"""How alike unit and question are in meaning, where that is known."""

MEANING, WORDS = "with meaning", "words alone"
"""The two sets of weights in a file: for units that were compared with the question in meaning, and
for the others."""

FEWEST_WORDS = 8
"""A unit with fewer words is seldom a whole answer."""

MOST_COMPARED, MOST_WORDS = 8, 24
"""Units that are compared with the question in meaning, and how many of their words: to encode them
takes longer than all else."""

OPEN = 3.0
"""Log-odds by which a unit may be behind the likeliest by its words and still be compared."""

BY_PASSAGE = 0.6
"""Part of the log-odds that a passage answers which goes to its units."""

POINTER = 5.0
"""What it costs in log-odds that a unit only says what another text is about."""

MOST, LEAST_BEST = 0.95, 0.25
"""Probability that no passage is taken to exceed, and that of the best one below which all are too
low to be compared."""

LIKELY = 2 / 3
"""Odds from which a passage is likely to answer, whatever the best one's are."""

BEST, FALL = 0.6, 6.0
"""Where no calibration fits: the probability of the best score, and how it falls with the score."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """The weights of features, in the order of their names."""

    weights: Array
    intercept: float

    @classmethod
    def of(cls, data: Mapping[str, Any], kind: str) -> Scorer:
        """Read one set of weights of a file; a name without one has none."""
        names = (*NAMES, *MEANING_NAMES) if kind == MEANING else NAMES
        weights = data[kind]["weights"]
        values = np.array([float(weights.get(name, 0.0)) for name in names])
        return cls(values, float(data[kind]["intercept"]))

    def log_odds(self, features: Array) -> Array:
        """Return the log-odds that each unit answers, shape (units,)."""
        return np.asarray(features @ self.weights + self.intercept)


@lru_cache(maxsize=2)
def scorer(kind: str) -> Scorer:
    """Return the scorer that ships with rirag."""
    return Scorer.of(json.loads(FILE.read_text(encoding="utf-8")), kind)


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


def score(
    question: str,
    candidates: Sequence[Candidate],
    hits: Sequence[Hit],
    rarities: Mapping[str, float] | None = None,
    similarities: Similarities | None = None,
) -> list[Candidate]:
    """Return units with the log-odds that each answers the question.

    Args:
        question: as it was asked.
        candidates: units of the hits.
        hits: best first.
        rarities: of the question's terms in the index; None: they are counted among the units.
        similarities: how alike question and texts are in meaning; None: it is not known.
    """
    features = features_of(question, candidates, hits, rarities)
    values = scorer(WORDS).log_odds(features)
    if similarities is not None:
        values = _with_meaning(question, candidates, features, values, similarities)
    odds = odds_of(hits)
    best = max(odds, default=1.0)
    return [
        replace(one, value=float(value) + BY_PASSAGE * math.log(odds[one.hit] / best)
                - POINTER * points_on(one.unit.text),
                odds=1.0 if odds[one.hit] >= LIKELY else odds[one.hit] / best)
        for one, value in zip(candidates, values, strict=True)
    ]  # fmt: skip


def odds_of(hits: Sequence[Hit]) -> list[float]:
    """Return the odds that each passage answers, by its relevance, or by its score."""
    chances = [one.relevance for one in hits]
    best = max((one.score for one in hits), default=0.0)
    known = [chance for chance in chances if chance is not None]
    if len(known) < len(chances) or max(known, default=0.0) < LEAST_BEST:
        known = [BEST * math.exp(FALL * (one.score - best)) for one in hits]
    return [max(chance, 1e-4) / (1 - chance) for chance in (min(one, MOST) for one in known)]


def features_of(
    question: str,
    candidates: Sequence[Candidate],
    hits: Sequence[Hit],
    rarities: Mapping[str, float] | None = None,
) -> Array:
    """Return what words and search say of units, shape (units, `NAMES`)."""
    about = Subject(question, _rarities(question, candidates) if rarities is None else rarities)
    asked, pairs = asked_kinds(question), _pairs(question)
    whole: dict[int, frozenset[str]] = {}
    for one in candidates:
        whole[one.hit] = whole.get(one.hit, one.heading) | one.unit.terms
    wholes = {hit: about.share(terms) for hit, terms in whole.items()}
    shares = [about.share(one.unit.terms | one.heading) for one in candidates]
    best, top = max(shares, default=0.0), max((hit.score for hit in hits), default=0.0)
    rows = []
    for one, share in zip(candidates, shares, strict=True):
        unit, kind = one.unit, one.kind
        has = values_in(unit.own) | values_in(unit.text, {"negation", "permission"})
        listed = one.role in ("item", "row") or len(unit.pieces) > 1
        rows.append([
            about.share(unit.terms), about.share(terms_of(unit.own)),
            about.share(one.heading), wholes[one.hit], best - share,
            len(pairs & _pairs(unit.text)) / (1 + len(pairs)),
            one.is_duty, kind == "definition", kind == "permission", kind == "other",
            one.at, math.log1p(unit.words), unit.words < FEWEST_WORDS,
            one.role == "item", one.role == "row",
            "time" in has, "money" in has, "percent" in has, "number" in has, "actor" in has,
            "negation" in has, math.log1p(len(REFERENCE.findall(unit.text))),
            bool({"time", "date"} & asked & has) or ("date" in asked and "time" in has),
            "money" in asked and "money" in has,
            "percent" in asked and bool(has & {"percent", "number"}),
            "number" in asked and bool(has & {"percent", "number"}),
            "actor" in asked and "actor" in has,
            "yes-no" in asked and "negation" in has,
            "yes-no" in asked and "permission" in has,
            "yes-no" in asked and one.is_duty,
            "definition" in asked and kind == "definition",
            "list" in asked and listed,
            "consequence" in asked and bool(has & {"money", "negation"}),
            top - hits[one.hit].score, math.log(one.hit + 1),
        ])  # fmt: skip
    return np.asarray(rows, np.float64).reshape(len(candidates), len(NAMES))


def likeliest_by_words(values: Array) -> NDArray[np.intp]:
    """Return which units are compared in meaning, best first: those that words leave open."""
    best = np.argsort(-values, kind="stable")[:MOST_COMPARED]
    return np.asarray(best[values[best] >= values.max(initial=-np.inf) - OPEN])


def meaning_of(
    question: str, units: Sequence[Candidate], similarities: Similarities
) -> Array | None:
    """Return how alike units and question are, shape (units, `MEANING_NAMES`); None: not known."""
    alike = np.asarray(similarities(question, [shortened(one.unit) for one in units]), np.float64)
    if len(alike) != len(units) or not units:
        return None
    return np.column_stack([alike, alike.max() - alike])


def _with_meaning(
    question: str, candidates: Sequence[Candidate], features: Array, values: Array,
    similarities: Similarities,
) -> Array:  # fmt: skip
    """Return better log-odds of the likeliest units; the others keep their distance to these."""
    likeliest = likeliest_by_words(values)
    if len(likeliest) < 2:
        return values
    meaning = meaning_of(question, [candidates[place] for place in likeliest], similarities)
    if meaning is None:
        return values
    better = scorer(MEANING).log_odds(np.hstack([features[likeliest], meaning]))
    found = values + (better - values[likeliest]).mean()
    found[likeliest] = better
    return np.asarray(found)


def shortened(unit: Unit) -> str:
    """Return the first words of a unit; of a long list item, half are its introduction's."""
    words, own = unit.text.split(), unit.own.split()
    half = MOST_WORDS // 2
    if len(words) > MOST_WORDS and len(words) - len(own) > half:
        words = [*words[:half], *own[:half]]
    return " ".join(words[:MOST_WORDS])


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(tokens(text)))


def _rarities(question: str, candidates: Sequence[Candidate]) -> dict[str, float]:
    """Return the inverse document frequency of the question's terms among the units."""
    sets = [one.unit.terms | one.heading for one in candidates]
    return {
        term: math.log(1 + (len(sets) + 1) / (1 + sum(term in terms for terms in sets)))
        for term in tokens(question)
    }
