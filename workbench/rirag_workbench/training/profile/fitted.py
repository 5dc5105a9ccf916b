"""What fitting a profile found, for people and for programs, and as the text of a profile file."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path

from rirag_workbench.training.data.samples import Figures
from search.json_form import Record
from search.ranking.profile_file import MODEL_FILES
from search.ranking.profiles import AlphaStep, Profile

Boundaries = tuple[int, ...]
"""Word counts at which a new length begins: (5, 10) means 1-4, 5-9, and 10 or more words."""


@dataclass(frozen=True, slots=True)
class Quality(Figures):
    """Figures, and how many questions they are means over."""

    questions: int

    def __str__(self) -> str:
        return f"{self.recall:.4f} {self.average_precision:.4f}"


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the questions, each counting alike; or all, as `grid.importance_of` weighs them."""

    name: str
    before: Quality
    """Under the profile that it is compared with."""
    after: Quality
    """Under weights that were fitted to other questions (cross-validation)."""
    p_value: float
    """Of the difference in R@10 + AP@10, by a paired randomisation test, two-sided."""
    compared: dict[str, Quality]
    """Name of a profile for comparison → its quality."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One way to fit, judged by cross-validation."""

    name: str
    quality: Quality


@dataclass(frozen=True, slots=True)
class RerankFit:
    """How many candidates a reranker should read, and what its opinion should weigh."""

    reranker: str
    count: int
    weight: float
    questions: int
    before: Quality
    """Without the reranker."""
    reranked: Quality
    """With weights that were fitted to other questions (cross-validation)."""
    tried: tuple[Tried, ...]
    """Each count, at its best weight."""


@dataclass(frozen=True, slots=True)
class FittedProfile(Record):
    """The fitted weights and how they were found."""

    rows: tuple[AlphaStep, ...]
    document_weight: float
    votes_weight: float | None
    """None: it was not fitted, for there are no answered questions."""
    depth: int
    before: str
    """Name of the profile that it is compared with."""
    parts: tuple[Part, ...]
    """By length, by kind, and last all questions."""
    forms: tuple[Tried, ...]
    depths: tuple[Tried, ...]
    rerank: RerankFit | None = None

    @property
    def overall(self) -> Part:
        """All questions."""
        return self.parts[-1]

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
            depth=self.depth,
            rerank_count=reranking.count if reranking else base.rerank_count,
            rerank_weight=reranking.weight if reranking else base.rerank_weight,
        )

    def to_table(self) -> str:
        """Return the weights and their quality as lines to read."""
        lines = [f"{'questions':20} {'':5}   {self.before:13}   fitted            p"]
        lines += [_row(part) for part in self.parts]
        lines += ["", f"alpha            {alpha_text(self.rows)}"]
        lines.append(f"document weight  {self.document_weight:g}")
        memory = "not fitted" if self.votes_weight is None else f"{self.votes_weight:g}"
        lines.append(f"votes weight     {memory}")
        lines.append(f"depth            {self.depth}")
        lines += ["", "R@10 and AP@10 of what was tried, by cross-validation:"]
        lines += [f"  {tried.quality}  {tried.name}" for tried in (*self.forms, *self.depths)]
        if self.rerank is not None:
            lines += ["", *_rerank_lines(self.rerank)]
        return "\n".join(lines)


def alpha_text(rows: tuple[AlphaStep, ...]) -> str:
    """Return the lexical weights in words."""
    return ", ".join(
        f"{row.value:g} " + ("above" if row.words is None else f"up to {row.words} words")
        for row in rows
    )


def _row(part: Part) -> str:
    return (
        f"{part.name:20} {part.before.questions:5}   {part.before}   {part.after}   "
        f"{part.p_value:.4f}"
    )


def _rerank_lines(fit: RerankFit) -> list[str]:
    return [
        f"rerank           best {fit.count} by {fit.reranker}, weight {fit.weight:g}",
        f"  {fit.before}  without it, {fit.questions} questions",
        f"  {fit.reranked}  with it, by cross-validation",
        *(f"  {tried.quality}  {tried.name}" for tried in fit.tried),
    ]


def profile_toml(profile: Profile) -> str:
    """Return a profile in the form of `search/profiles.toml`; what has its default is left out."""
    name = profile.name
    lines = [f"[{name if re.fullmatch(r'[A-Za-z0-9_-]+', name) else _text(name)}]"]
    for field in fields(profile):
        value = getattr(profile, field.name)
        if field.name != "name" and (field.default is MISSING or value != field.default):
            shown = Path(value).name if field.name in MODEL_FILES else value
            lines.append(f"{field.name} = {_value(shown)}")
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml_row, value))}]"
    return _text(value) if isinstance(value, str) else str(value)


def _toml_row(row: AlphaStep) -> str:
    words = "" if row.words is None else f"words = {row.words}, "
    return f"{{ {words}value = {row.value} }}"


def _text(text: str) -> str:
    # A basic string of TOML has JSON's escapes, and allows no DEL either.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
