"""Titles of units on lines of their own: behind a bare number, or above it or in its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from indexer.structuring.labels.numbers import line_number
from indexer.structuring.labels.order import readings
from indexer.structuring.labels.units import (
    DASHED,
    LONGEST_TITLE,
    MARKED,
    UnitLine,
    division_line,
    is_title,
)
from indexer.structuring.units.series import RunningUnits

_FEWEST_LISTED = 3
Division = tuple[int, str]
"""Place, and word and number in lower case: `chapter 5`."""

_LETTER = re.compile(r"^[a-z0-9]{1,3}[.)]\s+")
_CAPTION = re.compile(r"[(（]([^()（）]+)[)）]")
_LONGEST_LABEL = 5
"""Letters of a label: `(XVIII)`."""
_SHORT = 9
"""Words of a title that ends in a dot."""
_TITLES_BEFORE = 0.6
"""Least share of units below a short line that makes such lines their titles."""

_LATER_PARAGRAPH = re.compile(r"\((?:[2-9]|\d{2}|\d{1,2}\.\d{1,2})\)\s")
"""Any but the first, which the title of its unit is above."""
_HEADNOTES_BEFORE, _FEWEST_HEADNOTES = 0.5, 3
"""Least share and number of paragraphs below a short line that make such lines their titles."""


def titles_of(
    texts: Sequence[str], units: Mapping[int, UnitLine], others: Collection[int]
) -> dict[int, int]:
    """Return units → the lines that are their titles: behind a bare number, or before it.

    Args:
        texts: of all lines.
        units: the places of the units among them.
        others: the places of lines that are no titles of units.
    """
    behind = {
        place: place + 1
        for place, unit in units.items()
        if not unit.text and place + 1 < len(texts) and place + 1 not in units
        and _is_title_behind(texts[place + 1 : place + 3])
    }  # fmt: skip
    before = {
        place: place - 1
        for place, unit in units.items()
        if place
        and place - 1 not in units
        and place - 1 not in others
        and (
            is_caption(texts[place - 1])
            or (unit.text and not is_titled(unit) and _is_note(texts[place - 1]))
        )
    }
    many = _TITLES_BEFORE * len(units)
    return {**behind, **before} if len(before) >= many else behind


def headnotes_of(texts: Sequence[str], plain: Collection[int]) -> dict[int, str]:
    """Return paragraphs such as `(2)` → the titles on the lines before them, where most have one.

    Args:
        texts: of all lines.
        plain: the places of paragraphs of text that open no unit.
    """
    later = [at for at in plain if at - 1 in plain and _LATER_PARAGRAPH.match(texts[at])]
    lines = {at: texts[at - 1].removesuffix(" etc.") for at in later}
    titled = {at: texts[at - 1] for at, line in lines.items() if is_title(line) and _is_note(line)}
    enough = max(_FEWEST_HEADNOTES, _HEADNOTES_BEFORE * len(later))
    return titled if len(titled) >= enough else {}


def is_caption(text: str) -> bool:
    """Return whether a line is a title in brackets, as Japanese laws have: `(Definitions)`."""
    words = _in_brackets(text)
    labelled = words.isupper() and len(words) <= _LONGEST_LABEL
    return bool(words) and not words[0].islower() and not labelled


def _in_brackets(text: str) -> str:
    """Return the words of a line that is in brackets as a whole; empty: they are no title."""
    found = _CAPTION.fullmatch(text)
    words = found[1].strip() if found else ""
    return words if words[:1].isalpha() and len(words.split()) <= LONGEST_TITLE else ""


def is_titled(unit: UnitLine) -> bool:
    """Return whether the words after a number are a title, with or without a dot: `§ 5. Scope.`"""
    if unit.form == DASHED:
        return False
    bracketed = unit.text[0] == "[" and unit.text[-1] == "]"
    if is_title(unit.text[1:-1] if bracketed else unit.text):
        return True
    one_dot = unit.text.count(".") == 1 and unit.text[-1:] == "." and unit.text[0].isalpha()
    return unit.form != MARKED and one_dot and len(unit.text.split()) <= _SHORT


def _is_title_behind(lines: Sequence[str]) -> bool:
    """Return whether the line behind a bare number is its title: `Scope`, `a) Scope`, `(scope)`."""
    label, bracketed = line_number(lines[0]), _in_brackets(lines[0])
    if not (bracketed or is_title(lines[0]) or is_title(_LETTER.sub("", lines[0]))):
        return False
    if label is None or bracketed:
        return label is None
    after = line_number(lines[1]) if len(lines) > 1 else None
    return (
        after is None
        or readings(after.label)[0].form != readings(label.label)[0].form
        or (readings(after.label)[0].style != readings(label.label)[0].style)
    )


def _is_note(line: str) -> bool:
    """Return whether a line may be the title above or beside a unit; some end in a dot."""
    titled = is_title(line) or (len(line.split()) <= _SHORT and is_title(line.rstrip(".")))
    return titled and line_number(line) is None and division_line(line) is None


def lost_units(
    texts: Sequence[str], units: Mapping[int, UnitLine], titles: Collection[int]
) -> dict[int, UnitLine]:
    """Return the places where a unit begins that has no line, and the unit.

    Such a place is a caption in a law whose captions are titles. Between two units there must be as
    many as there are numbers between theirs.

    Args:
        texts: of all lines.
        units: the places of the units among them.
        titles: the places of their titles.
    """
    if not any(is_caption(texts[at]) for at in titles):
        return {}
    lost: dict[int, UnitLine] = {}
    for (start, one), (end, other) in pairwise(sorted(units.items())):
        places = [at for at in range(start + 1, end) if at not in titles and is_caption(texts[at])]
        missing = _between(one, other)
        if len(places) == len(missing):
            lost |= {at: replace(unit, text="") for at, unit in zip(places, missing, strict=True)}
    return lost


def _between(one: UnitLine, other: UnitLine) -> list[UnitLine]:
    """Return the units whose whole numbers are between those of two others."""
    whole = next((unit for unit in (one, other) if len(unit.key) == 1), None)
    first, end = one.key[0], other.key[0]
    if whole is None or one.form != other.form:
        return []
    if not isinstance(first, int) or not isinstance(end, int):
        return []
    shown = str(whole.key[0])
    if whole.number.count(shown) != 1:
        return []
    return [
        replace(whole, number=whole.number.replace(shown, str(number)), label="", key=(number,))
        for number in range(first + 1, end + (len(other.key) > 1))
    ]


def divisions_of(texts: Sequence[str], running: RunningUnits) -> list[Division]:
    """Return the lines that are titles of divisions.

    Args:
        texts: of all lines.
        running: their units and divisions.
    """
    found: list[Division] = []
    for at, text in enumerate(texts):
        if group := running.groups.get(at):
            found.append((at, group.number.lower()))
        elif line := division_line(text):
            found.append((at, f"{line[0]} {line[1]}".lower()))
    return found


def listed_divisions(
    texts: Sequence[str], divisions: Sequence[Division], first: int
) -> frozenset[int]:
    """Return the lines of a table of contents that lists divisions, which come again.

    `Chapter V Duties (Articles 59 to`, `74)`.

    Args:
        texts: of all lines.
        divisions: among them.
        first: the place of the first unit.
    """
    front = [one for one in divisions if one[0] < first]
    listed: list[int] = []
    for index, (at, name) in enumerate(front):
        if not any(name == later for _, later in divisions[index + 1 :]):
            break
        listed.append(at)
    if len(listed) < _FEWEST_LISTED:
        return frozenset()
    end = listed[-1] + 1
    while end < first and _continues(texts[end]):
        end += 1
    return frozenset(range(listed[0], end))


def _continues(text: str) -> bool:
    continued = text[:1].islower() or text[:1].isdigit() or text.endswith(")")
    return continued and len(text.split()) <= LONGEST_TITLE and division_line(text) is None
