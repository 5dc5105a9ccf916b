"""Obligation nuggets: the obligations of the relevant passages, item by item.

After the nuggets of the TREC tracks (nuggetizer): each is *vital* for the question or merely
*okay*, and an answer covers it whole, partly or not. Obligations are those that the verifier finds;
what is vital is decided by the words that an obligation shares with the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from generation.verify.checks.coverage import COVERED, obligations_of
from generation.verify.compare.sources import Source
from generation.verify.compare.words import folded
from rirag_workbench.evaluation.answers.rarity import Rarity
from rirag_workbench.evaluation.answers.said import Said
from search.records import Passage
from search.text.analyzer import tokens

Coverage = Literal["whole", "partly", "not"]

VITAL = 0.5
"""Part of the best obligation's bearing on the question from which on an obligation is vital."""

PARTLY = 0.5
"""Part of an obligation's terms that one statement must hold to cover it partly; `COVERED` of them
cover it whole, as in the verifier."""

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
    if best >= COVERED:
        return "whole"
    return "partly" if best >= PARTLY else "not"


def shares(graded: Sequence[Graded], *, vital: bool) -> tuple[float, float] | None:
    """Return the share covered whole, and that share with half a point for each partly covered.

    Args:
        graded: the nuggets of one answer.
        vital: whether only vital nuggets count.

    Returns:
        None where there is no nugget that counts.
    """
    counted = [one for one in graded if one.nugget.vital or not vital]
    if not counted:
        return None
    whole = sum(one.coverage == "whole" for one in counted)
    partly = sum(one.coverage == "partly" for one in counted)
    return whole / len(counted), (whole + partly / 2) / len(counted)
