"""Fusion profiles: the weight of each retriever by the length of the question, and the limits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from search.errors import InputError

Fusion = Literal["convex", "rrf"]
"""How retrievers are combined: weighted sum of min-max scores, or of reciprocal ranks."""

AlphaShape = Literal["steps", "smooth"]
"""How the lexical weight follows the length of the question: by steps, as in BDD-FinLegal, or in
straight lines between the rows over the logarithm of the length."""


MOST_CANDIDATES = 1000
"""Deepest retriever and most candidates for a reranker: servers answer no more than some thousands
in one request, and a reranker reads a thousand passages in many seconds."""

WEIGHTS = frozenset({
    "alpha_unread", "document_weight", "heading_weight", "votes_weight",
    "rerank_weight", "help_weight",
})  # fmt: skip
COUNTS = frozenset({"depth", "rerank_count"})
SCORES = frozenset({"alpha_covered", "answer_margin"})
CHOICES: Mapping[str, Sequence[str]] = {
    "fusion": ("convex", "rrf"),
    "alpha_shape": ("steps", "smooth"),
}


NAMED = (*WEIGHTS, *COUNTS, *SCORES, *CHOICES)
"""Fields that `problem_of` checks."""


@dataclass(frozen=True, slots=True)
class AlphaStep:
    """The lexical weight for questions up to a length, or (shape `smooth`) of that length."""

    value: float
    """Weight of the lexical retriever, 0 to 1."""
    words: int | None = None
    """Longest question it is for, in words; None: any (`steps` only, in the last row)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All the numbers that shape a ranking; values out of range are refused."""

    name: str
    source: str
    """Where the numbers come from."""
    fusion: Fusion
    alpha: tuple[AlphaStep, ...]
    document_weight: float
    """Weight of the whole document's BM25 score, 0 to 1."""
    heading_weight: float
    """Factor on the fused score of a passage that is only a heading, 0 to 1."""
    votes_weight: float
    """Weight of the votes of answered questions against the fused score, 0 to 1."""
    depth: int
    """Candidates of each retriever."""
    rerank_count: int
    """Fused candidates that the reranker reads."""
    rerank_weight: float
    """Weight of the reranker against the fused score, 0 to 1."""

    alpha_covered: float = 0.0
    """BM25 score a term that the best passage must reach for the lexical weight to count in full;
    below it the weight falls in proportion, for the passages have other words. 0: it never does."""
    alpha_unread: float = 0.0
    """Least lexical weight for questions in a language that the encoder hardly reads, 0 to 1."""
    help_weight: float = 0.6
    """Weight of what formulations of the question find against all of that, 0 to 1; fitted with
    `benchmarks.search_help`."""
    answer_margin: float = 5.0
    """Log-odds behind the likeliest statement at which an answer reads a passage that its filter
    left out, unless the setting `filter_margin` says; 0: it reads none."""
    alpha_shape: AlphaShape = "steps"
    encoder: str = ""
    """Encoder that it was fitted for; empty: any."""
    encoder_revision: str = ""
    """Its revision, by which an index's encoder is recognised."""
    question_encoder: str = ""
    """What encodes questions instead of `encoder`: a model in its folder, whose vectors of
    questions are compared with its vectors of passages. Empty: none."""
    learned: str = ""
    """File of the learned ranking (`search.ranking.learned.learned_fusion`); empty: the weights
    decide alone. In a profile file it is relative to that file."""
    relevance: str = ""
    """File of the calibration of relevance (`search.ranking.learned.relevance`); empty: none is
    given."""
    elsewhere: str = ""
    """Profile that takes its place over rulebooks that `learned` was not fitted on; empty: none."""

    def __post_init__(self) -> None:
        """Refuse values that cannot be.

        Raises:
            InputError: one is out of its range.
        """
        problems = [
            problem_of_alpha(self.alpha, smooth=self.alpha_shape == "smooth"),
            *(problem_of(one, getattr(self, one)) for one in NAMED),
        ]
        if found := " ".join(filter(None, problems)):
            raise InputError(f"profile {self.name!r}: {found}", code="profile.invalid")

    def alpha_for(self, words: int) -> float:
        """Return the lexical weight for a question of so many words (BDD-FinLegal, eq. 2)."""
        if self.alpha_shape == "smooth":
            return self._between_rows(words)
        for step in self.alpha:
            if step.words is None or words <= step.words:
                return step.value
        return self.alpha[-1].value

    def _between_rows(self, words: int) -> float:
        below = self.alpha[0]
        for row in self.alpha:
            if row.words is not None and words <= row.words:
                if row is below or below.words is None:
                    return row.value
                share = math.log(words / below.words) / math.log(row.words / below.words)
                return below.value + share * (row.value - below.value)
            below = row
        return below.value


def problem_of(field: str, value: object) -> str:
    """Return what is wrong with a weight, a count or a choice, as a sentence; empty: nothing."""
    if field in WEIGHTS and not is_weight(value):
        return f"{field} must be a number from 0 to 1, not {value!r}."
    if field in COUNTS and not (type(value) is int and 1 <= value <= MOST_CANDIDATES):
        return f"{field} must be a whole number from 1 to {MOST_CANDIDATES}, not {value!r}."
    if field in SCORES and not (is_number(value) and 0 <= value < math.inf):
        return f"{field} must be a number from 0 up, not {value!r}."
    if field in CHOICES and value not in CHOICES[field]:
        return f"{field} must be {' or '.join(CHOICES[field])}, not {value!r}."
    return ""


def problem_of_alpha(rows: Sequence[AlphaStep], *, smooth: bool) -> str:
    """Return what is wrong with the rows of the lexical weight; empty: nothing."""
    if not isinstance(rows, Sequence) or not all(hasattr(row, "words") for row in rows):
        return f"alpha must be a tuple of search.AlphaStep, not {rows!r:.80}."
    if not rows:
        return "alpha must have a row, such as { words = 4, value = 0.7 }."
    for row in rows:
        if not is_weight(row.value):
            return (
                f"the value of each row of alpha must be a number from 0 to 1, not {row.value!r}."
            )
    words: list[Any] = [row.words for row in (rows if smooth else rows[:-1])]
    if not all(type(one) is int and one >= 1 for one in words) or words != sorted(set(words)):
        return "each row of alpha but the last needs words, in ascending order."
    if not smooth and rows[-1].words is not None:
        return "the last row of alpha must not have words: it covers all longer questions."
    return ""


def is_weight(value: object) -> bool:
    """Return whether a value is a number from 0 to 1."""
    return is_number(value) and 0 <= value <= 1


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a value is a number, and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)
