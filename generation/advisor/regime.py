"""Which legal regime an answer is written for: common law or civil law (BDD-FinLegal, 4.1).

The paper has a model for each family of law and finds that judging the family matters; it does not
say how it is judged. Here what can tell is asked in a fixed order, and the first that tells
decides: the user's choice, what the question says of law, the documents' `regime`, their
`jurisdiction`, their titles, and a jurisdiction that the question names.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from generation.text.sanitize import one_line
from search.errors import InputError
from search.records import Passage

Regime = Literal["common law", "civil law"]
REGIMES: tuple[Regime, ...] = get_args(Regime)

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""Regime → its phrases and the jurisdictions that are of it."""

DEFAULT_REGIME: Regime = "common law"
"""Where nothing tells: the regime of the rulebooks that BDD-FinLegal works on (ADGM)."""

_LONGEST_NAME = 40
"""Characters of a document's field that a reason repeats."""


@dataclass(frozen=True, slots=True)
class JudgedRegime:
    """A regime and why it was taken."""

    regime: Regime
    reason: str

    @property
    def role(self) -> str:
        """The role of the model that answers for it: `common-law` or `civil-law`."""
        return self.regime.replace(" ", "-")


def read_regime(text: str) -> Regime | None:
    """Return the regime that somebody wrote, such as `Civil-Law` or `common`; None for neither."""
    folded = " ".join(re.findall(r"[a-z]+", text.casefold()))
    return next((one for one in REGIMES if folded in (one, one.partition(" ")[0])), None)


def chosen_regime(text: str) -> Regime:
    """Return the regime that a user chose; anything else is an `InputError` that lists them."""
    regime = read_regime(text)
    if regime is None:
        raise InputError(
            f"Unknown regime {text!r}; choose {' or '.join(REGIMES)}.", code="regime.unknown"
        )
    return regime


def judge_regime(
    question: str, passages: Sequence[Passage], weights: Sequence[float], chosen: str = ""
) -> JudgedRegime:
    """Return the regime to answer for.

    What was chosen counts; else passages that disagree outvote each other by their weights.

    Raises:
        InputError: what was chosen is not a regime.
    """
    if chosen:
        return JudgedRegime(chosen_regime(chosen), "chosen")
    weighed = list(zip(passages, weights, strict=True))
    titles = [(passage.document_title, weight) for passage, weight in weighed]
    return (
        _by_phrase(question)
        or _by_votes(_regime_votes(weighed), "the documents' regime is {}")
        or _by_votes(_jurisdiction_votes(weighed), "the documents' jurisdiction is {}")
        or _by_votes(_votes_of(titles), "the documents' titles name {}")
        or _by_votes(_votes_of([(question, 1.0)]), "the question names {}")
        or JudgedRegime(DEFAULT_REGIME, "nothing indicates the regime, so this is the default")
    )


_Vote = tuple[Regime, float, str]
"""What is voted for, with which weight, and why."""
_Weighed = Sequence[tuple[Passage, float]]


def _by_phrase(question: str) -> JudgedRegime | None:
    text = f" {' '.join(re.findall(r'[a-z]+', question.casefold()))} "
    found = {
        regime: phrase
        for regime in REGIMES
        for phrase in _TABLE[regime]["phrases"]
        if f" {phrase} " in text
    }
    if len(found) != 1:
        return None
    ((regime, phrase),) = found.items()
    return JudgedRegime(regime, f"the question mentions {phrase}")


def _by_votes(votes: Iterable[_Vote], reason: str) -> JudgedRegime | None:
    cast = list(votes)
    if not cast:
        return None
    weights = {one: sum(weight for regime, weight, _ in cast if regime == one) for one in REGIMES}
    best = max((regime for regime, *_ in cast), key=lambda regime: weights[regime])
    named = next(because for regime, _, because in cast if regime == best)
    share = weights[best] / (sum(weights.values()) or 1.0)
    doubt = f" for {share:.0%} of what was read, by weight" if share < 1 else ""
    return JudgedRegime(best, reason.format(named) + doubt)


def _regime_votes(weighed: _Weighed) -> Iterator[_Vote]:
    for passage, weight in weighed:
        for text in _values(passage, "regime"):
            if regime := read_regime(text):
                yield regime, weight, regime


def _jurisdiction_votes(weighed: _Weighed) -> Iterator[_Vote]:
    for passage, weight in weighed:
        for text in _values(passage, "jurisdiction"):
            if found := named_jurisdiction(text, running=False):
                yield found[1], weight, one_line(text)[:_LONGEST_NAME]


def _votes_of(texts: Iterable[tuple[str, float]]) -> Iterator[_Vote]:
    for text, weight in texts:
        if found := named_jurisdiction(text):
            name, regime = found
            yield regime, weight, name.upper() if len(name) <= 4 else name.title()


def _values(passage: Passage, field: str) -> tuple[str, ...]:
    value = passage.metadata.get(field, ())
    return value if isinstance(value, tuple) else (str(value),)


def named_jurisdiction(text: str, *, running: bool = True) -> tuple[str, Regime] | None:
    """Return the longest jurisdiction that a text names, and its regime; None for none.

    In running text, abbreviations count only in capitals.
    """
    words = re.findall(r"[^\W_]+", text)
    exact, folded = f" {' '.join(words)} ", f" {' '.join(words).casefold()} "
    found = [
        (name, regime)
        for regime in REGIMES
        for name in _TABLE[regime]["names"]
        if f" {name} " in folded
        and not (running and name in _TABLE["abbreviations"] and f" {name.upper()} " not in exact)
    ]
    return max(found, key=lambda one: len(one[0]), default=None)
