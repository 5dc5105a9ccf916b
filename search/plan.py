"""The plan of a search: every decision that shaped the ranking, printable and storable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from search.profiles import Fusion
from search.records import Filters

_FUSIONS = {
    "convex": "weighted sum of per-query min-max scores",
    "rrf": "reciprocal rank fusion",
}


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule that the question names, and what the index has under that number."""

    text: str
    """As the question writes it."""
    found: tuple[str, ...]
    """Citations of the passages it resolved to; empty: none."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question was answered."""

    question: str
    words: int
    tokens: tuple[str, ...]
    profile: str
    profile_source: str
    fusion: Fusion
    alpha: float
    """Weight of the lexical leg, after `words` chose it from the profile."""
    document_weight: float
    heading_weight: float
    depth: int
    encoder: str
    index: str
    generation: str
    filters: Filters
    numbers: tuple[NamedRule, ...] = ()
    candidates: Mapping[str, int] = field(default_factory=dict)
    """How many candidates each leg proposed, and how many the fusion had."""
    reranker: str | None = None
    rerank_count: int = 0
    rerank_weight: float = 0.0
    notes: tuple[str, ...] = ()
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    """Time of each stage."""

    def to_json(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        from search.jsonform import plan_to_json

        return plan_to_json(self)

    def describe(self) -> str:
        """Return the plan as lines that a person can read."""
        lines = [
            f"question    {self.words} words, terms: {' '.join(self.tokens) or '(none)'}",
            f"index       {self.index}, generation {self.generation}",
            f"profile     {self.profile}",
            f"legs        lexical {self.alpha:.2f}, dense {1 - self.alpha:.2f} ({self.encoder}), "
            f"{self.depth} candidates each",
            f"fusion      {_FUSIONS[self.fusion]}, document weight {self.document_weight:.2f}, "
            f"heading weight {self.heading_weight:.2f}",
            f"rerank      {self._rerank()}",
        ]
        lines += [
            f"filter      {name} = {' or '.join(values)}"
            for name, values in self.filters.fields.items()
        ]
        lines += [
            f"named       {rule.text} → {', '.join(rule.found) or 'nothing of that number'}"
            for rule in self.numbers
        ]
        lines.append(f"candidates  {_pairs(self.candidates, '{}')}")
        lines.append(f"time        {_pairs(self.milliseconds, '{:.1f} ms')}")
        lines += [f"note        {note}" for note in self.notes]
        return "\n".join(lines)

    def _rerank(self) -> str:
        if self.reranker is None:
            return "none"
        return f"{self.reranker}, best {self.rerank_count}, weight {self.rerank_weight:.2f}"


def _pairs(values: Mapping[str, Any], form: str) -> str:
    return ", ".join(f"{name} {form.format(value)}" for name, value in values.items())
