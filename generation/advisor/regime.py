"""Which legal regime an answer is written for: common law or civil law (BDD-FinLegal, 4.1).

The paper has a model for each family of law and finds that judging the family matters; it does not
say how it is judged. Here what can tell is asked in a fixed order, and the first that tells
decides: the user's choice, what the question says of law, the documents' `regime`, their
`jurisdiction`, their titles, and a jurisdiction that the question names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from generation.text.sanitize import one_line
from search.errors import InputError
from search.records import Passage

DEFAULT_REGIME: Regime = "common law"
"""Where nothing tells: the regime of the rulebooks that BDD-FinLegal works on (ADGM)."""

_PHRASES: Mapping[Regime, tuple[str, ...]] = {
    "common law": ("common law", "case law", "english law", "binding precedent", "stare decisis"),
    "civil law": ("civil law", "civil code", "code civil", "continental law", "codified law"),
}
"""Words of a question that speak of a family of law."""

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

    Args:
        question: as it was asked.
        passages: those that the answer is written from.
        weights: their weights, one each; passages that disagree outvote each other by them.
        chosen: what the user wants; empty: judge.

    Raises:
        InputError: what was chosen is not a regime.
    """
    if chosen:
        return JudgedRegime(chosen_regime(chosen), "chosen")
    weighed = list(zip(passages, weights, strict=True))
    return (
        _by_phrase(question)
        or _by_votes(_regime_votes(weighed), "the documents' regime is {}")
        or _by_votes(_jurisdiction_votes(weighed), "the documents' jurisdiction is {}")
        or _by_votes(_title_votes(weighed), "the documents' titles name {}")
        or _by_votes(_votes_of(question, 1.0), "the question names {}")
        or JudgedRegime(DEFAULT_REGIME, "nothing indicates the regime, so this is the default")
    )


@dataclass(frozen=True, slots=True)
class _Vote:
    regime: Regime
    weight: float
    because: str


_Weighed = Sequence[tuple[Passage, float]]


def _by_phrase(question: str) -> JudgedRegime | None:
    text = f" {' '.join(re.findall(r'[a-z]+', question.casefold()))} "
    found = {
        regime: phrase
        for regime, phrases in _PHRASES.items()
        for phrase in phrases
        if f" {phrase} " in text
    }
    if len(found) != 1:
        return None
    ((regime, phrase),) = found.items()
    return JudgedRegime(regime, f"the question mentions {phrase}")


def _by_votes(votes: Iterable[_Vote], reason: str) -> JudgedRegime | None:
    """Return the regime with most weight behind it, None without any vote."""
    cast = list(votes)
    if not cast:
        return None
    weight = {one: sum(vote.weight for vote in cast if vote.regime == one) for one in REGIMES}
    best = max((vote.regime for vote in cast), key=lambda regime: weight[regime])
    named = next(vote.because for vote in cast if vote.regime == best)
    share = weight[best] / (sum(weight.values()) or 1.0)
    doubt = f" for {share:.0%} of what was read, by weight" if share < 1 else ""
    return JudgedRegime(best, reason.format(named) + doubt)


def _regime_votes(weighed: _Weighed) -> Iterator[_Vote]:
    for passage, weight in weighed:
        for text in _values(passage, "regime"):
            regime = read_regime(text)
            if regime is not None:
                yield _Vote(regime, weight, regime)


def _jurisdiction_votes(weighed: _Weighed) -> Iterator[_Vote]:
    for passage, weight in weighed:
        for text in _values(passage, "jurisdiction"):
            found = named_jurisdiction(text, running=False)
            if found is not None:
                yield _Vote(found[1], weight, one_line(text)[:_LONGEST_NAME])


def _title_votes(weighed: _Weighed) -> Iterator[_Vote]:
    for passage, weight in weighed:
        yield from _votes_of(passage.document_title, weight)


def _votes_of(text: str, weight: float) -> Iterator[_Vote]:
    found = named_jurisdiction(text)
    if found is not None:
        name, regime = found
        yield _Vote(regime, weight, name.upper() if len(name) <= 4 else name.title())


def _values(passage: Passage, field: str) -> tuple[str, ...]:
    value = passage.metadata.get(field, ())
    return value if isinstance(value, tuple) else (str(value),)


Regime = Literal["common law", "civil law"]
REGIMES: tuple[Regime, ...] = get_args(Regime)

JURISDICTIONS: Mapping[Regime, tuple[str, ...]] = {
    "common law": (
        "adgm", "abu dhabi global market", "difc", "dubai international financial centre",
        "aifc", "astana international financial centre", "qatar financial centre",
        "england", "england and wales", "english law", "united kingdom", "uk", "great britain",
        "ireland", "united states", "usa", "us", "australia", "new zealand", "canada",
        "singapore", "hong kong", "india", "malaysia", "cayman islands", "bermuda", "jersey",
        "guernsey",
    ),
    "civil law": (
        "eu", "eu law", "european union", "european parliament", "eea", "austria", "belgium",
        "czechia", "denmark", "finland", "france", "french law", "germany", "german law", "greece",
        "hungary", "italy", "italian law", "luxembourg", "netherlands", "dutch law", "norway",
        "poland", "portugal", "romania", "spain", "spanish law", "sweden", "switzerland",
        "swiss law", "turkey", "japan", "south korea", "china", "taiwan", "brazil", "mexico",
        "argentina", "chile", "united arab emirates", "uae", "qatar", "egypt", "quebec",
        "louisiana",
    ),
}  # fmt: skip
"""Names in lower case. The families are those of comparative law (JuriGlobe, University of Ottawa,
sorts states alike). A financial free zone differs from the state around it, so the longest name
that fits a text counts."""

_ABBREVIATIONS = frozenset({"eu", "eea", "uk", "us", "usa", "uae"})
"""In running text they count only in capitals: "us" is a word, "US" a country."""


def named_jurisdiction(text: str, *, running: bool = True) -> tuple[str, Regime] | None:
    """Return the longest jurisdiction that a text names, and its regime; None for none.

    Args:
        text: a title, a question, or the value of a field.
        running: whether it is text, in which abbreviations are in capitals.
    """
    words = re.findall(r"[^\W_]+", text)
    exact, folded = f" {' '.join(words)} ", f" {' '.join(words).casefold()} "
    found = [
        (name, regime)
        for regime, names in JURISDICTIONS.items()
        for name in names
        if f" {name} " in folded
        and not (running and name in _ABBREVIATIONS and f" {name.upper()} " not in exact)
    ]
    return max(found, key=lambda one: len(one[0]), default=None)
