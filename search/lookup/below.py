"""What is below the passages that a question names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import zip_longest

from search.candidates import Candidate
from search.engines.protocol import Engine
from search.language import vocabulary
from search.lookup.pins import Named
from search.records import Filters, Key, Passage
from search.text.analyzer import tokens

Found = tuple[Candidate, Passage]

MAX_DESCENDANTS = 20
"""How many passages below a named one are shown."""

BELOW_NAMED = 0.9
"""Score of a passage below a named one."""

OFF_TOPIC = 0.65
"""The same where the question says what it wants to know, and others below speak of it: under the
answer's floor."""

_ANNOUNCING = (":", "—", "–")
"""A line that ends so says that something follows: the passages below."""

_ASKING = frozenset(tokens(" ".join(vocabulary.words("asking.for_rules", "en"))))
"""Terms that ask for a rule, whatever it says."""


def topics_of(words: Iterable[str]) -> frozenset[str]:
    """Return the index terms of what a question wants to know of the rules that it names.

    Args:
        words: of the question, beside numbers, names of documents and grammar.
    """
    return frozenset(tokens(" ".join(words))) - _ASKING


def below_named(
    engine: Engine, named: Sequence[Named], topics: AbstractSet[str], filters: Filters
) -> list[Named]:
    """Return what is below named passages that are headings, or announce what follows.

    Of each in turn, so that whoever reads few has some of all, at most `MAX_DESCENDANTS`: first
    what speaks of the topics, if anything does,
    else all alike in document order.
    """
    below = [_below_one(engine, one.passage, topics, filters) for one in named]
    return [one for together in zip_longest(*below) for one in together if one is not None]


def _below_one(
    engine: Engine, passage: Passage, topics: AbstractSet[str], filters: Filters
) -> list[Named]:
    if not _leads_on(passage):
        return []
    wanted = topics - set(tokens(passage.text))
    # The first ones of all are among the first ones of each level, unless filters or topics leave
    # some out.
    every = bool(filters or wanted)
    below = _descendants(engine, passage.id, None if every else MAX_DESCENDANTS)
    found = [below[key] for key in sorted(below)]
    if filters and found:
        ids = tuple(passage.id for _, passage in found)
        found = engine.find(filters.having(id=ids))
    return _by_topic(found, wanted)[:MAX_DESCENDANTS]


def _leads_on(passage: Passage) -> bool:
    lines = passage.text.split("\n")
    announces = any(line.rstrip().endswith(_ANNOUNCING) for line in lines)
    return passage.kind == "heading" or announces or not passage.text.strip()


def _by_topic(found: Sequence[Found], wanted: AbstractSet[str]) -> list[Named]:
    """Put first what has most of the wanted terms, or is below what has."""
    told: dict[str, int] = {}
    for _, passage in found:
        own = len(wanted & set(tokens(passage.text))) if wanted else 0
        told[passage.id] = max(own, told.get(passage.parent or "", 0))
    most = max(told.values(), default=0)
    on_topic = [one for one in found if told[one[1].id] == most]
    others = [one for one in found if told[one[1].id] < most]
    return [
        *(Named(*one, BELOW_NAMED) for one in on_topic),
        *(Named(*one, OFF_TOPIC) for one in others),
    ]


def _descendants(engine: Engine, parent: str, of_a_level: int | None) -> dict[Key, Found]:
    """Return what is below a passage, level by level, at most so many of each.

    The data may hold circles.
    """
    below: dict[Key, Found] = {}
    parents: tuple[str, ...] = (parent,)
    while parents:
        level = engine.find(Filters({"parent": parents}), of_a_level)
        new = {one[0].key: one for one in level if one[0].key not in below}
        below |= new
        parents = tuple(passage.id for _, passage in new.values())
    return below
