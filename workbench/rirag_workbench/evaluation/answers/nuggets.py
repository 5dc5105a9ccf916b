"""Obligation nuggets: the obligations of the relevant passages, item by item.

After the nuggets of the TREC tracks (nuggetizer): each is *vital* for the question or merely
*okay*, and an answer covers it whole, partly or not. Obligations are those that the verifier finds;
what is vital is decided by the words that an obligation shares with the question.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from generation.statements.words import folded
from generation.text.phrases import ELLIPSIS
from generation.text.subject import subject
from generation.verify.checks.coverage import obligations_of
from generation.verify.compare.sources import Source
from generation.verify.margins import SUPPORT
from rirag_workbench.evaluation.answers.said import Item, Quoted, Said
from search.records import Passage
from search.text.analyzer import tokens


class Rarity:
    """Inverse document frequencies of the passages of an index."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        """Count in how many passages each term occurs."""
        self._passages = 0
        self._with_term: Counter[str] = Counter()
        for passage in passages:
            self._passages += 1
            self._with_term.update(set(tokens(passage.text)))

    def of(self, term: str) -> float:
        """Return the weight of a term; it is never 0, and highest for an unknown term."""
        return math.log(1 + (self._passages + 1) / (1 + self._with_term[term]))

    def bearing(self, question: str, terms: AbstractSet[str]) -> float:
        """Return how much of a question's subject a set of terms holds, 0 to 1, by weight."""
        weights = {term: self.of(term) for term in subject(question)}
        total = math.fsum(weights.values())
        held = math.fsum(weight for term, weight in weights.items() if term in terms)
        return held / total if total else 0.0


Coverage = Literal["whole", "partly", "not"]

VITAL = 0.5
"""Part of the best obligation's bearing on the question from which on an obligation is vital."""

PARTLY = 0.5
"""Part of an obligation's terms that one statement must hold to cover it partly."""

_EDGES = " .,;:-!?'"


@dataclass(frozen=True, slots=True)
class Nugget:
    """One obligation of a relevant passage."""

    passage: str
    """`ID` of the passage."""
    own: str
    """Its own words, folded, such as those of a list item."""
    text: str
    """How it reads with what introduces it."""
    bearing: float
    """Part of the question's subject that it speaks of, 0 to 1, rare terms counting more."""
    vital: bool


@dataclass(frozen=True, slots=True)
class Graded:
    """A nugget, and how far an answer covers it."""

    nugget: Nugget
    coverage: Coverage


def nuggets_of(question: str, passages: Iterable[Passage], rarity: Rarity) -> tuple[Nugget, ...]:
    """Return the obligations of the relevant passages of a question.

    An obligation is vital if its words, with those that introduce it, hold at least half as much
    of the question's subject as those of the best obligation. Of a list that has such an
    introduction, and items that bear on the question beyond it, the other items are not vital.
    Where no obligation shares a word with the question, all are vital.
    """
    found = [
        (passage.id, own, whole)
        for passage in passages
        for own, whole in obligations_of(Source(1, passage))
    ]
    bearings = [rarity.bearing(question, frozenset(tokens(whole))) for *_, whole in found]
    beyond = [_beyond(question, own, whole, rarity) for _, own, whole in found]
    least = VITAL * max(bearings, default=0.0)
    best_item: dict[tuple[str, str], float] = {}
    for (passage, own, whole), more in zip(found, beyond, strict=True):
        key = (passage, _introduction(own, whole))
        best_item[key] = max(best_item.get(key, 0.0), more)
    return tuple(
        Nugget(
            passage, folded(own).strip(_EDGES), whole, bearing,
            vital=bearing >= least
            and more >= VITAL * best_item[passage, _introduction(own, whole)],
        )
        for (passage, own, whole), bearing, more in zip(found, bearings, beyond, strict=True)
    )  # fmt: skip


def grade(nuggets: Iterable[Nugget], said: Said) -> tuple[Graded, ...]:
    """Return how far an answer covers each nugget.

    Quoted words count wherever they are quoted. Other words count in a statement that cites the
    nugget's passage, or cites nothing, and that its passages do not contradict.
    """
    return tuple(Graded(nugget, _coverage(nugget, said)) for nugget in nuggets)


def _beyond(question: str, own: str, whole: str, rarity: Rarity) -> float:
    """Return the bearing of an item's own words beyond that of its introduction; 0: it has none."""
    introduction = _introduction(own, whole)
    if not introduction:
        return 0.0
    return rarity.bearing(question, frozenset(tokens(own)) - frozenset(tokens(introduction)))


def _introduction(own: str, whole: str) -> str:
    """Return the words that introduce an item; empty for a sentence by itself."""
    return whole.removesuffix(own)


def _coverage(nugget: Nugget, said: Said) -> Coverage:
    if said.quotes(nugget.own, nugget.passage):
        return "whole"
    wanted = frozenset(tokens(nugget.own))
    best = said.best_share(wanted, nugget.passage)
    if best >= SUPPORT.enough:
        return "whole"
    return "partly" if best >= PARTLY else "not"


def shares(graded: Sequence[Graded], *, vital: bool) -> tuple[float, float] | None:
    """Return the share covered whole, and that share with half a point for each partly covered.

    Returns:
        None where there is no nugget that counts.
    """
    counted = [one for one in graded if one.nugget.vital or not vital]
    if not counted:
        return None
    whole = sum(one.coverage == "whole" for one in counted)
    partly = sum(one.coverage == "partly" for one in counted)
    return whole / len(counted), (whole + partly / 2) / len(counted)


Span = tuple[int, int]


def share_in_vital(item: Item, vital: Sequence[Nugget]) -> float | None:
    """Return the share of an answer's quoted words that belong to vital obligations.

    Words that are in a relevant passage are counted where they are. Other words, such as those
    of a language model, count as a whole where they hold at least half of the terms of a vital
    obligation of a passage that they cite, and three quarters of their own terms are in it.

    Returns:
        None where nothing is quoted, or no obligation is vital.
    """
    words = sum(one.words for one in item.said.quoted)
    if not words or not vital:
        return None
    texts = {passage.id: Source(1, passage).folded for passage in item.gold}
    spans = {key: list(_spans(text, vital, key)) for key, text in texts.items()}
    return sum(_vital_words(one, vital, texts, spans) for one in item.said.quoted) / words


def _spans(text: str, vital: Sequence[Nugget], passage: str) -> Iterator[Span]:
    """Yield where the words of vital obligations are in their passage."""
    for nugget in vital:
        for stretch in nugget.text.split(ELLIPSIS) if nugget.passage == passage else ():
            words = folded(stretch)
            place = text.find(words)
            if words and place >= 0:
                yield place, place + len(words)


def _vital_words(
    quoted: Quoted, vital: Sequence[Nugget], texts: dict[str, str], spans: dict[str, list[Span]]
) -> int:
    best = 0
    for key in quoted.passages & texts.keys():
        place = texts[key].find(quoted.text)
        if place < 0:
            best = max(best, _conveyed(quoted, [one for one in vital if one.passage == key]))
        else:
            starts = (place + found.start() for found in re.finditer(r"\S+", quoted.text))
            inside = sum(any(a <= at < b for a, b in spans[key]) for at in starts)
            best = max(best, inside)
    return best


def _conveyed(quoted: Quoted, vital: Sequence[Nugget]) -> int:
    said = frozenset(tokens(quoted.text))
    for nugget in vital:
        terms = frozenset(tokens(nugget.text))
        own = frozenset(tokens(nugget.own))
        if len(own & said) >= PARTLY * len(own) and len(said & terms) >= SUPPORT.enough * len(said):
            return quoted.words
    return 0


STAGES = {
    "not found": "search did not find its passage",
    "refused": "its passage was found, but the question was refused",
    "filtered": "its passage was found, but the filter dropped it",
    "not cited": "its passage was kept, but the answer does not cite it",
    "not shown": "its passage is cited, but the answer omits the obligation",
    "not known": "the file does not record what was found",
}
"""Stage → what happened there."""


def stage_of(item: Item, passage: str) -> str:
    """Return the stage at which a passage of an answer was lost."""
    record = item.record
    if passage in item.said.cited and not item.refuses:
        return "not shown"
    if passage in record.kept:
        return "refused" if item.refuses else "not cited"
    if record.found is None:
        return "not known"
    if passage not in record.found:
        return "not found"
    return "refused" if item.refuses else "filtered"


def blame(graded: Iterable[tuple[Item, Sequence[Graded]]], *, vital: bool) -> dict[str, int]:
    """Return how many obligations were lost at each stage."""
    lost = Counter(
        stage_of(item, one.nugget.passage)
        for item, nuggets in graded
        for one in nuggets
        if one.coverage != "whole" and (one.nugget.vital or not vital)
    )
    return {stage: lost[stage] for stage in STAGES if lost[stage] or stage != "not known"}
