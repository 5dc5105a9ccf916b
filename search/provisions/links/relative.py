"""Rules that a passage names from where it is: "this Rule", "paragraph (2)", "(a) to (c)"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search.language import vocabulary
from search.provisions.grammar.gaps import OF, continues, is_range, tokens
from search.provisions.grammar.ranges import members
from search.provisions.grammar.references import Reference
from search.provisions.numbering import container_kind, container_rank, segments
from search.records import Passage

_UNITS = vocabulary.pattern(vocabulary.units_of("rule", "inner") | {"subparagraph"}, short=False)
_LEAD = re.compile(
    rf"\b(?P<lead>{_UNITS}|{vocabulary.alternatives(OF)}|by|from|with)\s(?=\()", re.IGNORECASE
)
_NUMBERS = re.compile(r"(?:\((?:\d{1,3}[a-z]?|[a-z]{1,2}|[ivx]{1,5})\))+", re.IGNORECASE)
_AROUND = vocabulary.words_for(vocabulary.units_of("attachment", "division", "rule"))
_THIS = re.compile(rf"\bthis\s(?P<unit>{vocabulary.printed(_AROUND)})\b(?!\s[\dA-Z])")
_LEVELS = {"chapter": 1, "section": 2}
"""How many segments of a number with dots name its chapter and its section."""

_GROUPS = vocabulary.words_for(vocabulary.units_of("attachment", "division") | {"section"})
_DIVISION = re.compile(rf"(?:\.?(?:{'|'.join(_GROUPS)})\s\w+)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A rule that a passage names."""

    text: str
    """The words that name it; a member of a range has those of the whole range."""
    keys: tuple[str, ...]
    """Lookup keys to try in this order: the number itself, then the numbers that enclose it."""
    document_ids: tuple[str, ...] = ()
    """The documents that are beside it; empty: the passage's own."""
    outside: str | None = None
    """The document it is in by the passage's words, when none of the index has that name."""
    relative: bool = False
    """Whether it is named from where the passage is: "this Chapter", "paragraph (2)"."""
    around: bool = False
    """Whether it is what the passage itself is in: "this Chapter"."""
    unit: str = ""
    """The rule word of a whole number without dots: `section` in "section 92(2)"."""
    container: bool = False
    """Whether it is a part, chapter or the like, which is a heading wherever it is written."""
    place: tuple[int, int] = (0, 0)
    """The line of the passage that it is in, from 0, and where in the tidy line it begins."""


def relative_references(
    line: str, taken: Sequence[tuple[int, int]], passage: Passage, place: int = 0
) -> Iterator[CrossReference]:
    """Yield what a line names from where its passage is.

    What the passage has inside its own text, or is itself, is left out.

    Args:
        line: one tidy line of the passage.
        taken: (start, end) of the references that were found in it otherwise.
        passage: for its number, and for the lists that its text has.
        place: of the line in the passage.
    """
    number = segments(passage.passage_id)
    rule = rule_of(passage.passage_id)
    end = 0
    for lead in _LEAD.finditer(line) if number else ():
        if lead.start() < end:
            continue  # "to (c)" of "(a) to (c)"
        first, (numbers, end) = lead.end(), _listed(line, lead.end())
        free = all(end <= start or first >= stop for start, stop in taken)
        of, what = (*tokens(line[end : end + 40].lower()), "", "")[:2]
        of_another = line[end : end + 1] == " " and of in OF and what not in {"this", "these"}
        for inner in numbers if free and not of_another else ():
            listed = rf"(?:^|\n)\s*\({re.escape(inner[0])}\)"
            if not re.search(listed, passage.text, re.IGNORECASE):
                keys = _around(number, len(rule), inner)
                at = (place, lead.start())
                yield CrossReference(line[lead.start() : end], keys, relative=True, place=at)
    for found in _THIS.finditer(line):
        unit = vocabulary.unit_of(found["unit"]) or ""
        key = "/".join(_this(rule, unit) or _division(passage.breadcrumb, unit))
        if key and key != "/".join(number):
            at = (place, found.start())
            yield CrossReference(found.group(), (key,), relative=True, around=True, place=at)


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
    number = segments(passage_id)
    guidance = [i for i, one in enumerate(number) if one.startswith("guidance")]
    if guidance and guidance[-1] < len(number) - 1:
        return number[: guidance[-1] + 1]
    units = [i for i, one in enumerate(number) if container_kind(one) in {"unit", "attachment"}]
    return number[: units[-1] + 1] if units else ()


def _listed(line: str, at: int) -> tuple[list[tuple[str, ...]], int]:
    """Return the numbers of "(a), (b)(i) and (c)", with what "(a) to (c)" has between its ends,
    and where they end.
    """
    numbers: list[tuple[str, ...]] = []
    end, in_range = at, False
    while found := _NUMBERS.match(line, at):
        inner = tuple(found[0][1:-1].lower().split(")("))
        if in_range and numbers[-1][:-1] == inner[:-1]:
            numbers += [(*inner[:-1], one) for one in members(numbers[-1][-1], inner[-1])]
        numbers.append(inner)
        end = found.end()
        at = line.find("(", end)
        in_range = at > 0 and is_range(line[end:at])
        if at < 0 or not continues(line[end:at]):
            break
    return numbers, end


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


def _this(rule: Sequence[str], unit: str) -> Sequence[str]:
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
    around = _divisions(breadcrumb)
    sizes = (i + 1 for i, one in enumerate(around) if one.startswith(f"{unit} "))
    return around[: next(sizes, 0)]


def _divisions(breadcrumb: Sequence[str]) -> Sequence[str]:
    for label in reversed(breadcrumb):
        if named := _DIVISION.match(label):
            return segments(named.group())
    return ()
