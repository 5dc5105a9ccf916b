"""What a study found: scores of systems, agreement, and who missed the planted answers."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rirag_workbench.evaluation.agreement import Agreement, agreement_of
from rirag_workbench.evaluation.ratings import Ratings
from rirag_workbench.evaluation.statistics import interval
from rirag_workbench.evaluation.study.form import CRITERIA, HIGHEST, LOWEST, KeyEntry
from rirag_workbench.evaluation.study.ratings import Rating
from rirag_workbench.reports.tables import Table, to_text
from search.json_form import Record

CAUGHT = 2
"""An accuracy of at most this catches a planted answer."""

LEAST_CAUGHT = 0.5
"""A rater who catches less of the planted answers did not look closely."""


@dataclass(frozen=True, slots=True)
class SystemScore:
    """What people gave to one system; planted answers are left out."""

    answers: int
    score: float
    """BDD-FinLegal, equation 6: the weighted mean of the criteria, each from 0 to 1."""
    low: float | None
    """Bounds of the 95 % interval, drawn by question; None: one question only."""
    high: float | None
    criteria: Mapping[str, float]
    """Mean of each criterion as it was given, 1 to 4."""


@dataclass(frozen=True, slots=True)
class RaterCheck(Record):
    """How one rater did on the planted answers."""

    rated: int
    """Answers scored in all."""
    planted: int
    caught: int

    json_form = "* missed_them"

    @property
    def missed_them(self) -> bool:
        """Whether too few were caught for the rater's scores to be trusted."""
        return self.planted > 0 and self.caught < LEAST_CAUGHT * self.planted


@dataclass(frozen=True, slots=True)
class StudyResult(Record):
    """Everything that was found."""

    systems: Mapping[str, SystemScore]
    raters: Mapping[str, RaterCheck]
    agreement: Mapping[str, Agreement | None]
    """Criterion → agreement; None: fewer than two raters share an answer."""
    passages: Mapping[str, float]
    """How passages bear on their questions → share of all said."""
    notes: tuple[str, ...] = ()


def score_study(
    ratings: Sequence[Rating], key: Mapping[str, KeyEntry], weights: Sequence[float],
    notes: Sequence[str] = (),
) -> StudyResult:  # fmt: skip
    """Score the systems."""
    systems: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    criteria: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for one in ratings:
        entry = key[one.item]
        if entry.planted is None and len(one.scores) == len(CRITERIA):
            systems[entry.system][entry.question_id].append(score_of(one, weights))
            for name, value in one.scores.items():
                criteria[entry.system][name].append(value)
    said = Counter(value for one in ratings for value in one.passages.values())
    return StudyResult(
        systems={name: _system(systems[name], criteria[name]) for name in sorted(systems)},
        raters={
            name: _check(name, ratings, key) for name in dict.fromkeys(r.rater for r in ratings)
        },
        agreement={name: _agreement(name, ratings, key) for name in CRITERIA},
        passages={name: count / said.total() for name, count in said.most_common()},
        notes=tuple(notes),
    )


def score_of(rating: Rating, weights: Sequence[float]) -> float:
    """Return w₁A + w₂C + w₃R of one complete rating, each from 0 to 1, weights adding up to 1."""
    shares = [(rating.scores[name] - LOWEST) / (HIGHEST - LOWEST) for name in CRITERIA]
    return math.fsum(w * s for w, s in zip(weights, shares, strict=True)) / math.fsum(weights)


def _system(
    by_question: Mapping[str, Sequence[float]], criteria: Mapping[str, Sequence[int]]
) -> SystemScore:
    questions = [question for question, scores in by_question.items() for _ in scores]
    every = np.concatenate(list(by_question.values()))
    low, high = interval(questions, lambda rows: float(every[rows].mean())) or (None, None)
    means_of = {name: float(np.mean(criteria[name])) for name in CRITERIA}
    return SystemScore(len(every), float(every.mean()), low, high, means_of)


def _check(rater: str, ratings: Sequence[Rating], key: Mapping[str, KeyEntry]) -> RaterCheck:
    own = [one for one in ratings if one.rater == rater and "accuracy" in one.scores]
    planted = [one for one in own if key[one.item].planted is not None]
    caught = sum(one.scores["accuracy"] <= CAUGHT for one in planted)
    return RaterCheck(len(own), len(planted), caught)


def _agreement(
    criterion: str, ratings: Sequence[Rating], key: Mapping[str, KeyEntry]
) -> Agreement | None:
    raters = tuple(dict.fromkeys(one.rater for one in ratings))
    given = {
        (one.item, one.rater): float(one.scores[criterion])
        for one in ratings
        if criterion in one.scores
    }
    items = tuple(dict.fromkeys(item for item, _ in given))
    values = tuple(tuple(given.get((item, name)) for name in raters) for item in items)
    if not any(sum(one is not None for one in row) > 1 for row in values):
        return None
    clusters = tuple(key[item].question_id for item in items)
    return agreement_of(Ratings(raters, items, clusters, values))


def to_table(result: StudyResult) -> str:
    """Return lines to read."""
    systems = [
        (
            name,
            one.score,
            one.low,
            one.high,
            *(f"{one.criteria[c]:.2f}" for c in CRITERIA),
            one.answers,
        )
        for name, one in result.systems.items()
    ]
    raters = [
        (
            name,
            one.rated,
            f"{one.caught:,} of {one.planted:,}",
            "missed them: do not rely on these scores" if one.missed_them else "",
        )
        for name, one in result.raters.items()
    ]
    tables = [
        Table("system", ("score", "95 % from", "to", *CRITERIA, "answers"), systems),
        Table("rater", ("scored", "planted answers caught", ""), raters),
    ]
    agreeing = {name: one.figures for name, one in result.agreement.items() if one is not None}
    after = []
    if agreeing:
        names = list(dict.fromkeys(name for figures in agreeing.values() for name in figures))
        rows = [
            (name, *(ours[name].value if name in ours else None for ours in agreeing.values()))
            for name in names
        ]
        tables.append(Table("agreement", tuple(agreeing), rows))
    else:
        after = ["agreement: not defined, because no answer was scored by two raters"]
    if result.passages:
        shares = ", ".join(f"{name} {share:.1%}" for name, share in result.passages.items())
        after.append(f"passages: {shares}")
    return to_text(tables, after=after, notes=result.notes)
