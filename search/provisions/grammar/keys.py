"""The lookup keys of a rule that a question names; `search.provisions.numbering` has the passages'
side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from search.provisions.grammar.references import Reference
from search.provisions.numbering import ANYWHERE, container_kind, container_rank, named_container
from search.provisions.roman import roman_numeral, roman_value

KEYED_UNITS = frozenset({"article", "section", "recital", "regulation"})
"""Rule words that sources write into their numbers, so that "article 92" is a key of its own."""

OWN_COUNT = frozenset({"recital"})
"""Those of them that count apart from the rules: recital 12 is never a bare 12."""

FIRST_PARTS = ("1", "a")
"""What the first part of a divided rule is called."""

LETTERS = ("r", "g")
"""What books put behind the numbers of rules and guidance: 4.1.2R, 4.1.3G."""


def first_part_keys(keys: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of the first part of a rule that is divided and has no passage of its own.

    Where 3.3.3 has passages only for 3.3.3.(1) and 3.3.3.(2), the first of them stands for it.
    """
    whole = [key for key in keys if key.count("/") == keys[0].count("/")]
    return tuple(f"{key}/{first}" for key in whole for first in FIRST_PARTS)


def lettered_keys(keys: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of rules that were named without the letter that says what they are."""
    found = []
    for key in keys:
        match key.split("/"):
            case (chapter, section, rule, *below) if all(
                one[0].isdigit() and one.isalnum() for one in (chapter, section, rule)
            ):
                found += ["/".join((chapter, section, rule + one, *below)) for one in LETTERS]
    return tuple(found)


def in_both_figures(keys: Sequence[str]) -> tuple[str, ...]:
    """Return keys, each with those that have Roman numerals for the Arabic ones of its containers,
    or the other way round: what some call Annex 3 is Annex III to others.
    """
    return tuple(
        "/".join(way)
        for key in keys
        for way in product(*((one, *_other_figures(one)) for one in key.split("/")))
    )


def _other_figures(segment: str) -> Iterator[str]:
    word, number = named_container(segment)
    kind = container_kind(segment)
    if kind is None or (kind == "unit" and word != "section "):
        return
    if value := roman_value(number):
        yield f"{word}{value}"
    elif number.isdecimal() and int(number):
        yield f"{word}{roman_numeral(int(number))}"


def rule_keys(reference: Reference, in_document: bool) -> Iterator[str]:
    """Yield the lookup keys of a reference: itself in all forms, then what encloses it."""
    readings = tuple(_readings(reference))
    whole = readings[0]
    containers = tuple(sorted(reference.containers, key=container_rank))
    attached = any(container_kind(c) == "attachment" for c in containers)
    weak: list[str] = []
    counts_apart = reference.unit in OWN_COUNT
    if reference.number and not (attached or counts_apart) and reference.core <= 2:
        weak = ["/".join((ANYWHERE, *whole[:n])) for n in range(len(whole), reference.core - 1, -1)]
    if reference.unit == "paragraph" and in_document:
        yield from weak[:1]  # paragraphs are what schedules have; sections have subsections
    unit = reference.unit if reference.core == 1 else ""
    for reading in readings:
        for size in range(len(reading), reference.core - 1, -1):
            for level in dict.fromkeys(_spellings(reading[:size])):
                yield from _forms(containers, level, unit)
    yield from weak
    if in_document and containers and not (reference.number or attached):
        if containers[-1].startswith("part "):
            yield containers[-1].split(" ")[1]  # some call the chapters of MKT its parts
        if reference.containers[-1].startswith("chapter "):
            yield reference.containers[-1].split(" ")[1]  # chapter 3 may be just "3"
    if attached and reference.number:
        yield from _forms(containers, (), "")  # point 5 may be inside the text of Annex III


def _readings(reference: Reference) -> Iterator[tuple[str, ...]]:
    """Yield the segments as they are written, then with the suffix read as what it may say.

    3.5.11A is a number of its own; but 4.2.4R is the rule 4.2.4, 4.2.4G is its guidance, and
    6.2.4b is 6.2.4(b).
    """
    rest = (*reference.heading, *reference.guidance)
    yield (*reference.number, *rest)
    if reference.suffix:
        core, inner = reference.number[: reference.core], reference.number[reference.core :]
        said = {"R": (), "E": (), "G": ("guidance",)}.get(reference.suffix, (reference.suffix,))
        yield (*core[:-1], core[-1][:-1], *said, *inner, *rest)


def _spellings(level: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield level
    yield tuple("guidance" if one.startswith("guidance") else one for one in level)
    if level[-1:] == ("guidance",):
        yield (*level, "1")


def _forms(containers: tuple[str, ...], number: tuple[str, ...], unit: str) -> Iterator[str]:
    outer = tuple(c for c in containers if container_kind(c) == "attachment")
    inner = containers[len(outer) :]
    spelt = [number]
    if number and unit in KEYED_UNITS and not container_kind(number[0]):
        worded = (f"{unit} {number[0]}", *number[1:])
        spelt = [worded] if unit in OWN_COUNT else [worded, number]
    for rest in spelt:
        yield "/".join((*containers, *rest))
        yield from ("/".join((*outer, *inner[i:], *rest)) for i in range(1, len(inner)))
        if len(inner) == 1 and not outer and inner[0].startswith("chapter ") and not unit:
            yield "/".join((inner[0].split(" ")[1], *rest))  # COBS calls chapter 3 just "3"
        if inner and rest:
            yield "/".join((*outer, *rest))
        if rest and outer and outer[0][:3] == "app" and (own := outer[0][3:]).isdecimal():
            yield "/".join((*outer, f"a{own}", *rest))  # App2.5 is A2.5 of that appendix
    if outer and number and re.match(r"[a-z]\d", number[0]):
        yield "/".join(number)  # A2.1.2 says itself which appendix it is in
