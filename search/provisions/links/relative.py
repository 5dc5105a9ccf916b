"""Rules that a passage names from where it is: "this Rule", "paragraph (2)", "(a) to (c)"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search.language import vocabulary
from search.provisions.grammar.ranges import members
from search.provisions.grammar.references import LISTED, RANGE, Reference
from search.provisions.numbering import container_kind, container_rank, segments
from search.records import Passage

_UNITS = vocabulary.pattern(vocabulary.units_of("rule", "inner") | {"subparagraph"}, short=False)
_NUMBER = r"\((?:\d{1,3}[a-z]?|[a-z]{1,2}|[ivx]{1,5}|[A-Z])\)"
_OF = "|".join(map(re.escape, vocabulary.link_words("of")))
_LIST = re.compile(
    rf"(?P<lead>\b(?:{_UNITS}|{_OF}|by|from|with))\s"
    rf"(?P<list>(?:{_NUMBER})+(?:(?:{LISTED.pattern}|{RANGE.pattern})(?:{_NUMBER})+)*)"
    rf"(?P<rest>\s(?:{_OF})\s(?!(?:this|these)\b))?",
    re.IGNORECASE,
)
_ITEM = re.compile(rf"(?P<range>{RANGE.pattern})?(?P<numbers>(?:{_NUMBER})+)", re.IGNORECASE)
_INNER = re.compile(r"\((\w+)\)")
_AROUND = vocabulary.words_for(vocabulary.units_of("attachment", "division", "rule"))
_THIS = re.compile(rf"\bthis\s(?P<unit>{vocabulary.printed(_AROUND)})\b(?!\s[\dA-Z])")
_LEVELS = {"chapter": 1, "section": 2}
"""How many segments of a number with dots name its chapter and its section."""

_GROUPS = vocabulary.words_for(vocabulary.units_of("attachment", "division") | {"section"})
_DIVISION = re.compile(rf"(?:\.?(?:{'|'.join(_GROUPS)})\s\w+)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Relative:
    """A rule named from where a passage is."""

    text: str
    """The words that name it."""
    start: int
    """Where in the line they begin."""
    keys: tuple[str, ...]
    """Lookup keys to try in this order."""
    around: bool = False
    """Whether it is what the passage itself is in."""


def relative_references(
    line: str, taken: Sequence[tuple[int, int]], passage: Passage
) -> Iterator[Relative]:
    """Yield what a line names from where its passage is.

    What the passage has inside its own text, or is itself, is left out.

    Args:
        line: one tidy line of the passage.
        taken: (start, end) of the references that were found in it otherwise.
        passage: for its number, and for the lists that its text has.
    """
    number = segments(passage.passage_id)
    rule = rule_of(passage.passage_id)
    for found in _LIST.finditer(line) if "(" in line else ():
        free = all(found.end("list") <= start or found.start("list") >= end for start, end in taken)
        if not number or not free or found["rest"]:
            continue
        for inner in _inner_numbers(found["list"]):
            if not _listed_inside(passage.text, inner[0]):
                keys = _around(number, len(rule), inner)
                yield Relative(f"{found['lead']} {found['list']}", found.start(), keys)
    for found in _THIS.finditer(line):
        unit = vocabulary.unit_of(found["unit"]) or ""
        key = "/".join(_this(rule, unit) or _division(passage.breadcrumb, unit))
        if key and key != "/".join(number):
            yield Relative(found.group(), found.start(), (key,), around=True)


def rule_of(passage_id: str) -> tuple[str, ...]:
    """Return the segments of the rule that a passage belongs to.

    It is what comes before the first bracket, letter or guidance: 3.4.2 for `3.4.2.(b)` and for
    `3.4.2.Guidance.1`, section 52 for `Part 6.52.(1)`.
    """
    number = segments(passage_id.split("(", 1)[0])
    ends = (
        i for i, one in enumerate(number) if not (container_kind(one) or any(map(str.isdigit, one)))
    )
    return number[: next(ends, len(number))]


def own_attachment(passage: Passage) -> tuple[str, ...]:
    """Return the schedule, annex or appendix that a passage is in; empty where it is in none."""
    number = segments(passage.passage_id)
    return tuple(one for one in number if container_kind(one) == "attachment")[:1]


def near_keys(passage: Passage, reference: Reference) -> Iterator[str]:
    """Yield keys of a reference that is understood from where its passage is.

    "Paragraph 3" is the third of this article, schedule or guidance, because they number their
    paragraphs; and "Chapter 4" is the fourth of the same title, because each title numbers its own
    chapters.
    """
    if reference.unit == "paragraph" and not reference.containers:
        home = _home(passage.passage_id)
        for size in range(len(reference.number), 0, -1) if home else ():
            yield "/".join((*home, *reference.number[:size]))
    elif reference.containers and not reference.number:
        containers = sorted(reference.containers, key=container_rank)
        around = _divisions(passage.breadcrumb)
        kinds = [one.split(" ")[0] for one in around]
        if (kind := containers[0].split(" ")[0]) in kinds:
            yield "/".join((*around[: kinds.index(kind)], *containers))


def _home(passage_id: str) -> Sequence[str]:
    """Return the guidance, article or schedule whose paragraphs a passage is among."""
    number = segments(passage_id)
    guidance = [i for i, one in enumerate(number) if one.startswith("guidance")]
    if guidance and guidance[-1] < len(number) - 1:
        return number[: guidance[-1] + 1]
    units = [i for i, one in enumerate(number) if container_kind(one) in {"unit", "attachment"}]
    return number[: units[-1] + 1] if units else ()


def _inner_numbers(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the numbers of "(a), (b)(i) and (c)", and what "(a) to (c)" has between its ends."""
    last: tuple[str, ...] = ()
    for item in _ITEM.finditer(text):
        inner = tuple(one.lower() for one in _INNER.findall(item["numbers"]))
        if item["range"] and last and last[:-1] == inner[:-1]:
            yield from ((*inner[:-1], one) for one in members(last[-1], inner[-1]))
        yield inner
        last = inner


def _around(number: Sequence[str], rule: int, inner: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of a bracket number below a passage, beside it, and beside what encloses it.

    Only what is numbered in the same way is beside it: (2) is not a neighbour of (a). The first
    `rule` segments of the number stay.
    """
    keys = ["/".join((*number, *inner))]
    for size in range(len(number) - 1, rule - 1, -1):
        if number[size].startswith("guidance"):
            break
        if number[size][0].isdigit() == inner[0][0].isdigit():
            keys.append("/".join((*number[:size], *inner)))
    return tuple(keys)


def _listed_inside(text: str, first: str) -> bool:
    return re.search(rf"(?:^|\n)\s*\({re.escape(first)}\)", text, re.IGNORECASE) is not None


def _this(rule: Sequence[str], unit: str) -> Sequence[str]:
    """Return the unit of this kind that a rule is, or is in; empty where its number tells none."""
    for size in range(len(rule), 0, -1):
        if container_kind(rule[size - 1]) and rule[size - 1].startswith(unit):
            return rule[:size]
    containers = next((i for i, one in enumerate(rule) if not container_kind(one)), len(rule))
    plain = len(rule) - containers
    if unit in {"rule", "article"} or (unit == "section" and plain == 1):
        return rule if plain else ()
    level = _LEVELS.get(unit, 0)
    return rule[: containers + level] if 0 < level < plain else ()


def _division(breadcrumb: Sequence[str], unit: str) -> Sequence[str]:
    """Return the part, title or chapter of an act whose articles do not say where they are."""
    around = _divisions(breadcrumb)
    sizes = (i + 1 for i, one in enumerate(around) if one.startswith(f"{unit} "))
    return around[: next(sizes, 0)]


def _divisions(breadcrumb: Sequence[str]) -> Sequence[str]:
    """Return the segments of the innermost division that a passage is in."""
    for label in reversed(breadcrumb):
        if named := _DIVISION.match(label):
            return segments(named.group())
    return ()
