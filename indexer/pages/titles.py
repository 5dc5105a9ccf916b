"""Titles of units on lines of their own: behind a bare number, or above it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from indexer.pages.numbers import line_number
from indexer.structuring.list_labels import readings
from indexer.structuring.units import (
    DASHED,
    LONGEST_TITLE,
    MARKED,
    UnitLine,
    division_line,
    is_title,
)

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
    found = _CAPTION.fullmatch(text)
    words = found[1].strip() if found else ""
    labelled = words.isupper() and len(words) <= _LONGEST_LABEL
    begins = words[:1].isalpha() and not words[:1].islower() and not labelled
    return begins and len(words.split()) <= LONGEST_TITLE


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
    """Return whether the line behind a bare number is its title: `Scope`, `a) Scope`."""
    if not is_title(lines[0]) and not is_title(_LETTER.sub("", lines[0])):
        return False
    label = line_number(lines[0])
    if label is None:
        return True
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
