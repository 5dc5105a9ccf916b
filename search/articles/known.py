"""What answered questions teach about the articles of an act: counts, pairs and words.

Only counts and weights are kept, no question: they are the part of a fitted ranker that belongs to
one act.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from search.text.analyzer import tokens

WORDS_KEPT = 30
"""Words that are kept of an article, those with the largest weights."""

NAMED_SHARE = 0.5
"""What an article that is only named in the question or the answer counts, against 1 for one that
the Q&A says it is about."""

SMALLEST_SHARE = 0.05
"""Smaller shares are not kept: one question of twenty says nothing, and there are many of them."""

SMOOTHING = 2.0
"""Added to the number of questions behind a share, so that one question alone is not a rule."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its articles, as training needs it."""

    text: str
    """Question and background."""
    about: tuple[str, ...]
    """Articles that it is about."""
    named: tuple[str, ...]
    """Articles that question and background name."""
    answered_with: tuple[str, ...] = ()
    """Articles that the answer names."""


@dataclass(frozen=True, slots=True)
class Known:
    """Numbers of articles are those of one act."""

    about: Mapping[str, int] = field(default_factory=dict)
    """Article → in how many questions it was the one asked about."""
    named: Mapping[str, int] = field(default_factory=dict)
    """Article → how many questions name it."""
    named_and_about: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Named article → article asked about → share of the questions, 0 to 1."""
    named_together: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Named article → article named beside it or in the answer → share of the questions."""
    words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Word → article → weight: the questions about an article, as a vector of length 1 or less."""
    rarity: Mapping[str, float] = field(default_factory=dict)
    """Word → logarithm of one in how many questions it occurs."""

    def likeness(self, text: str) -> dict[str, float]:
        """Return how near a question is to those about each article: cosines, 0 to 1."""
        vector = _vector(text, self.rarity)
        found: dict[str, float] = defaultdict(float)
        for word, weight in vector.items():
            for article, share in self.words.get(word, {}).items():
                found[article] += weight * share
        return dict(found)

    def to_json(self) -> dict[str, Any]:
        """Return plain values; weights have three digits."""
        return {one.name: _rounded(getattr(self, one.name)) for one in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Known:
        """Read what `to_json` gave; a missing part is a `KeyError`."""
        return cls(**{one.name: data[one.name] for one in fields(cls)})


def learn(questions: Sequence[AnsweredQuestion]) -> Known:
    """Return what questions teach."""
    rarity = _rarity(questions)
    words = _words(questions, rarity)
    kept = {word: value for word, value in rarity.items() if word in words}
    about = Counter(article for one in questions for article in set(one.about))
    named = Counter(article for one in questions for article in set(one.named))
    asked = [(set(one.named), set(one.about)) for one in questions if one.about]
    beside = [(set(one.named), {*one.named, *one.answered_with}) for one in questions if one.named]
    return Known(about, named, _shares(asked), _shares(beside), words, kept)


def _shares(pairs: Sequence[tuple[set[str], set[str]]]) -> dict[str, dict[str, float]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    times: Counter[str] = Counter()
    for given, found in pairs:
        for article in given:
            times[article] += 1
            counts[article].update(found)
    shares = {}
    for article, others in counts.items():
        smoothed = {other: n / (times[article] + SMOOTHING) for other, n in others.items()}
        shares[article] = {o: share for o, share in smoothed.items() if share >= SMALLEST_SHARE}
    return shares


def _rarity(questions: Sequence[AnsweredQuestion]) -> dict[str, float]:
    seen = Counter(word for one in questions for word in set(tokens(one.text)))
    return {word: math.log(len(questions) / count) for word, count in seen.items() if count > 1}


def _vector(text: str, rarity: Mapping[str, float]) -> dict[str, float]:
    counts = Counter(word for word in tokens(text) if word in rarity)
    weights = {word: (1 + math.log(n)) * rarity[word] for word, n in counts.items()}
    length = math.sqrt(sum(weight**2 for weight in weights.values()))
    return {word: weight / length for word, weight in weights.items()} if length else {}


def _words(
    questions: Sequence[AnsweredQuestion], rarity: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for one in questions:
        vector = _vector(one.text, rarity)
        shares = dict.fromkeys((*one.named, *one.answered_with), NAMED_SHARE)
        shares |= dict.fromkeys(one.about, 1.0)
        for article, share in shares.items():
            for word, weight in vector.items():
                sums[article][word] += share * weight
    words: dict[str, dict[str, float]] = defaultdict(dict)
    for article, total in sums.items():
        length = math.sqrt(sum(value**2 for value in total.values()))
        for word, value in sorted(total.items(), key=lambda item: -item[1])[:WORDS_KEPT]:
            words[word][article] = value / length
    return dict(words)


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _rounded(inside) for name, inside in value.items()}
    return round(value, 3)
