"""The parts that a name means, as paths: "Annex III, points 1 to 3", "(a) of Article 5(1)"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from search.language import vocabulary
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.references import (
    INNER_UNITS,
    RANGE,
    Reference,
    assemble,
    runs,
)
from search.provisions.grammar.words import read_words, tidy
from search.provisions.numbering import container_rank

DIVISIONS = vocabulary.units_of("division", "attachment") | {"section"}
_NO_DOCUMENTS = DocumentNames([])
_GOES_ON = re.compile(r"[,;:&]|\b(?:and|or)\b")
"""After other words, such as those of a heading, only this leads to a further part."""
_CONTAINER = re.compile(r"(app|[a-z]+) ?(.+)")


@dataclass(frozen=True, slots=True)
class Level:
    """One step of the way to a part."""

    unit: str
    """`article`, `annex`, …; empty for a bracket."""
    value: str
    """The number in lower case, such as `92`, `129b`, `iii` or `a`."""


Path = tuple[Level, ...]
"""The way to a part, outermost first: Article 92(1)(a) has three levels."""


_NOWHERE: Path = ()


@dataclass(frozen=True, slots=True)
class PartName:
    """A part, or all that lies from one part to another."""

    path: Path
    until: Path | None = None
    """The last part of a range; None: there is no range."""


def part_names(name: str) -> list[PartName]:
    """Return the parts that a name lists, in its order.

    Args:
        name: without the documents that it names.
    """
    text = tidy(name)
    found: list[PartName] = []
    last, around = Reference(), _NOWHERE
    for one, is_end in _references(text):
        gap = text[last.end : one.start]
        if is_end:
            first = found[-1].path
            found[-1] = PartName(first, (*around, *_path(one, of=last)))
        elif not last or _GOES_ON.search(gap) or not re.search(r"\w", gap):
            path, around = _path(one), _NOWHERE
            inside = last and not one.containers and gap in {", ", " ", ": "}
            if inside and _is_division(found[-1], but=path[0].unit):
                around = found.pop().path  # "Chapter III, Articles 8 to 15"
            found.append(PartName((*around, *path)))
        else:
            continue
        last = one
    return found


def _references(text: str) -> Iterator[tuple[Reference, bool]]:
    """Yield what a text names, with whether it is the end of a range."""
    for run in runs(text, list(read_words(text, _NO_DOCUMENTS))):
        last = Reference()
        for one in assemble(text, run).references:
            if one.number or one.containers:
                yield one, bool(last) and RANGE.fullmatch(text, last.end, one.start) is not None
                last = one


def _is_division(name: PartName, but: str) -> bool:
    return name.until is None and name.path[-1].unit in DIVISIONS - {but}


def _path(reference: Reference, of: Reference | None = None) -> Path:
    """Return the levels of a reference; the end of a range is called what its beginning `of` is."""
    if of and reference.number and not reference.unit:
        reference = replace(reference, unit=of.unit)
    if of and not reference.containers:
        reference = replace(reference, containers=of.containers)
    outer = (
        Level(*_CONTAINER.fullmatch(one).groups())  # type: ignore[union-attr]
        for one in sorted(reference.containers, key=container_rank)
    )
    return (*outer, *_number(reference))


def _number(reference: Reference) -> Iterator[Level]:
    core, inner = reference.number[: reference.core], reference.number[reference.core :]
    if core:
        unit = "" if reference.unit in INNER_UNITS and reference.containers else reference.unit
        first = core[0].removeprefix(f"{unit} ") if unit else core[0]
        yield Level(unit, ".".join((first, *core[1:])))
    yield from (Level("", one) for one in inner)
