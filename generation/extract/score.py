"""Score units: does this statement answer this question?

The log-odds are a weighted sum of what words, form, search and meaning say of a unit. The weights
are in `scorer.json`, with the data and figures of their fit under `fitted`.
`python -m benchmarks.sentence_selector` fits such a file to indexes and their questions.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.extract.asked import asked_kinds
from generation.extract.margins import SCORE
from generation.extract.units import Candidate, units_in
from generation.library import Library
from generation.statements.passages import announces
from generation.statements.units import Unit
from generation.statements.values import REFERENCE, values_in
from generation.text.subject import bare, subject, terms_of
from search.language import vocabulary
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


_WORDS = tomllib.loads(Path(__file__).with_name("pointers.toml").read_text("utf-8"))
_PATTERNS = {name: re.compile(one, re.I) for name, one in _WORDS.pop("patterns").items()}
_KINDS = vocabulary.units_of("attachment", "division", "rule", "inner")
_UNITS = {code: vocabulary.pattern(_KINDS, code, short=False) for code in _WORDS}


def _pointing(code: str) -> str:
    one = {role: vocabulary.alternatives(words) for role, words in _WORDS[code].items()}
    part = f"(?:{one['parts']}|{_UNITS[code]})"
    named = rf"(?:{one['this']} {part}|{part} [\dA-Z][\w.()-]*)"
    return rf"{named} (?:{one['further']} )?{one['tells']}\b"


_POINTS = re.compile(
    r"^(?:\W*\(?\w{1,4}\)?[.)]?\s+)?(?:" + "|".join(map(_pointing, _UNITS)) + ")",
    re.IGNORECASE,
)


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


def score(question: str, hits: Sequence[Hit], library: Library | None) -> list[Candidate]:
    """Return the units of hits with the log-odds that each answers the question."""
    candidates = units_in(hits)
    rarities = None if library is None else library.rarities(tokens(question))
    features = features_of(question, candidates, hits, rarities)
    values = scorer(WORDS).log_odds(features)
    if library is not None:
        values = _with_meaning(question, candidates, features, values, library.similarities)
    odds = odds_of(hits)
    best = max(odds, default=1.0)
    return [
        replace(one, value=float(value) + SCORE.by_passage * math.log(odds[one.hit] / best)
                - SCORE.pointer * points_on(one.unit.text),
                odds=1.0 if odds[one.hit] >= SCORE.likely else odds[one.hit] / best)
        for one, value in zip(candidates, values, strict=True)
    ]  # fmt: skip


def may_answer(
    question: str, hits: Sequence[Hit], margin: float, library: Library | None
) -> list[Hit]:
    """Return the hits with a unit whose log-odds are at most a margin below the best one's."""
    units = score(question, hits, library)
    least = max((one.value for one in units), default=0.0) - margin
    likely = {one.hit for one in units if one.value >= least}
    return [hit for place, hit in enumerate(hits) if place in likely]


def odds_of(hits: Sequence[Hit]) -> list[float]:
    """Return the odds that each passage answers, by its relevance, or by its score."""
    chances = [one.relevance for one in hits]
    best = max((one.score for one in hits), default=0.0)
    known = [chance for chance in chances if chance is not None]
    if len(known) < len(chances) or max(known, default=0.0) < SCORE.least_best:
        known = [SCORE.best * math.exp(SCORE.fall * (one.score - best)) for one in hits]
    return [max(chance, 1e-4) / (1 - chance) for chance in (min(one, SCORE.most) for one in known)]


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
            one.at, math.log1p(unit.words), unit.words < SCORE.short,
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
    best = np.argsort(-values, kind="stable")[: SCORE.compared]
    return np.asarray(best[values[best] >= values.max(initial=-np.inf) - SCORE.open])


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
    half = SCORE.words // 2
    if len(words) > SCORE.words and len(words) - len(own) > half:
        words = [*words[:half], *own[:half]]
    return " ".join(words[: SCORE.words])


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(tokens(text)))


def _rarities(question: str, candidates: Sequence[Candidate]) -> dict[str, float]:
    sets = [one.unit.terms | one.heading for one in candidates]
    return {
        term: math.log(1 + (len(sets) + 1) / (1 + sum(term in terms for terms in sets)))
        for term in tokens(question)
    }


def points_on(text: str) -> bool:
    """Return whether a sentence only says what a part is about, announces, or changes a law."""
    announced = announces(text) and _PATTERNS["announces"].match(text)
    return bool(announced or _POINTS.match(text) or _PATTERNS["amends"].search(text))
