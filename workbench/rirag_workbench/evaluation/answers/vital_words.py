"""How many of the words that an answer quotes belong to vital obligations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generation.text.phrases import ELLIPSIS
from generation.verify.checks.coverage import COVERED
from generation.verify.compare.sources import Source
from generation.verify.compare.words import folded
from rirag_workbench.evaluation.answers.items import Item
from rirag_workbench.evaluation.answers.nuggets import PARTLY, Nugget
from rirag_workbench.evaluation.answers.said import Quoted
from search.text.analyzer import tokens

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
        if len(own & said) >= PARTLY * len(own) and len(said & terms) >= COVERED * len(said):
            return quoted.words
    return 0
