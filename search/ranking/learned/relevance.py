"""How likely a hit answers the question: a probability from the raw signals of the retrievers.

The fused score orders the candidates of one question, and makes the best of ten bad ones look
good. Relevance is fitted on questions with and without an answer in the index, by logistic
regression on what does not forget absolute values: cosine, BM25 per term of the question, agreement
of the retrievers, votes of answered questions, and the reranker's logit. Every combination of
signals that can be present has a calibration of its own; where none fits, no relevance is given.

On documents that nothing was fitted on, the best cosine alone tells whether there may be an answer:
what is far from every passage in the vectors of an encoder is so in any rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from search.ranking.learned.features import NAMES, Array, Columns, columns_of
from search.ranking.learned.file import load_fitted, write_fitted
from search.ranking.learned.fitted_for import FittedFor

FORM = "rirag relevance 1"
"""Form of the file; its number is raised when the signals change their meaning."""

SHORT_WORDS = 12
"""Questions below this length count as short: keywords have lower cosines and higher BM25 per term
than sentences. Beyond it length is not a signal, so that a long question is not doubted for its
length alone."""

SMALLEST_BM25 = 0.05
"""Added to BM25 per term before the logarithm, for passages that share no word."""

PASSAGE_SIGNALS = (
    "cosine", "cosine below best", "best cosine", "log lexical per term", "lexical share", "fused",
    "fused below best", "fused near", "document", "agreement", "shortness", "cosine if short",
    "lexical if short",
)  # fmt: skip
"""What speaks for a passage."""

QUESTION_SIGNALS = (
    "best cosine", "log lexical per term", "lexical share", "fused", "agreement", "cosine spread",
    "shortness", "cosine if short", "lexical if short",
)  # fmt: skip
"""What speaks for there being an answer: signals of the best fused candidate."""

NEARNESS_SIGNALS = ("best cosine",)
"""What speaks for there being an answer in documents that nothing was fitted on."""

RETRIEVER_SIGNALS: Mapping[str, tuple[str, ...]] = {
    "memory": ("votes", "best votes"),
    "rerank": ("logit", "best logit"),
}
"""Signals that are added where a retriever is there."""


def signals(rows: Array) -> dict[str, Array]:
    """Return every signal of each candidate, from the rows of `candidate_features`."""
    known = signals_of(columns_of(rows))
    return {**known, "best logit": np.full(len(rows), known["best logit"])}


def signals_of(columns: Columns) -> dict[str, Array]:
    """Return every signal, from the features by their names; shapes are as in `Columns`."""
    shortness = np.log(SHORT_WORDS / columns["words"].clip(1, SHORT_WORDS))
    lexical = np.log(columns["lexical per term"] + SMALLEST_BM25)
    return {
        **columns,
        "log lexical per term": lexical,
        "shortness": shortness,
        "cosine if short": columns["cosine"] * shortness,
        "lexical if short": lexical * shortness,
        "best logit": columns["logit"].max(initial=-np.inf),
    }


@dataclass(frozen=True, slots=True)
class Logistic:
    """Logistic regression over named signals."""

    signals: tuple[str, ...]
    weights: tuple[float, ...]
    """Of each signal as it is, without scaling."""
    intercept: float

    def probability(self, known: Mapping[str, Array]) -> Array:
        """Return a probability for each candidate whose signals are given."""
        odds = self.intercept + sum(
            weight * known[name] for name, weight in zip(self.signals, self.weights, strict=True)
        )
        bounded = np.minimum(np.maximum(odds, -50), 50)  # faster than np.clip
        return np.asarray(1 / (1 + np.exp(-bounded)))

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {"weights": dict(zip(self.signals, self.weights, strict=True)),
                "intercept": self.intercept}  # fmt: skip

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Logistic:
        """Read what `to_json` gave; a ValueError says what is wrong."""
        weights = {str(name): float(weight) for name, weight in data["weights"].items()}
        unknown = set(weights) - set(signals(np.zeros((1, len(NAMES)))))
        if unknown:
            raise ValueError(f"unknown signal {sorted(unknown)[0]!r}")
        numbers = (*weights.values(), float(data["intercept"]))
        if not np.isfinite(numbers).all():
            raise ValueError("a weight is not a number")
        return cls(tuple(weights), tuple(weights.values()), numbers[-1])


@dataclass(frozen=True, slots=True)
class Calibration:
    """Both probabilities for one set of retrievers."""

    retrievers: frozenset[str]
    """`memory` and `rerank`, where these are there beside the lexical and the dense retriever."""
    passage: Logistic
    question: Logistic

    def relevance(self, known: Mapping[str, Array]) -> Array:
        """Return the probability that each candidate answers, shape (candidates,).

        Args:
            known: `signals` of the candidates.
        """
        return self.passage.probability(known)

    def answerable(self, known: Mapping[str, Array]) -> float:
        """Return the probability that the index has an answer.

        Args:
            known: `signals` of all candidates, best fused one first; at least one.
        """
        wanted = ((name, known[name]) for name in self.question.signals)
        best = {name: signal[:1] if signal.ndim else signal for name, signal in wanted}
        return self.question.probability(best).item()


@dataclass(frozen=True, slots=True)
class Relevance:
    """A fitted calibration, with one variant for each set of retrievers."""

    fitted_for: FittedFor
    calibrations: tuple[Calibration, ...]
    record: Mapping[str, Any] = field(default_factory=dict)
    """How it was fitted: data with hashes, settings, figures."""
    nearness: Logistic | None = None
    """Of there being an answer where no calibration holds; None: not known."""

    def calibration(self, retrievers: frozenset[str]) -> Calibration | None:
        """Return the calibration for a set of retrievers, if there is one."""
        return next((one for one in self.calibrations if one.retrievers == retrievers), None)

    def save(self, path: Path) -> None:
        """Write the calibration's file."""
        calibrations = [
            {
                "legs": sorted(one.retrievers),
                "passage": one.passage.to_json(),
                "question": one.question.to_json(),
            }
            for one in self.calibrations
        ]
        content = {
            "fitted_for": self.fitted_for.model_dump(),
            "calibrations": calibrations,
            "record": dict(self.record),
        }
        if self.nearness is not None:
            content["nearness"] = self.nearness.to_json()
        write_fitted(path, FORM, content)


def load_relevance(path: str | Path) -> Relevance:
    """Read a calibration's file; the same file is read once.

    Raises:
        ModelError: it cannot be read, was altered, or uses signals that are not known here.
    """
    return load_fitted(path, FORM, _built)


def _built(content: Mapping[str, Any]) -> Relevance:
    return Relevance(
        FittedFor.model_validate(content["fitted_for"]),
        tuple(
            Calibration(
                frozenset(one["legs"]),
                Logistic.from_json(one["passage"]),
                Logistic.from_json(one["question"]),
            )
            for one in content["calibrations"]
        ),
        content.get("record", {}),
        Logistic.from_json(content["nearness"]) if "nearness" in content else None,
    )
