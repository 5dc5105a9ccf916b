"""Units whose own line a converter lost, known by what begins where their number is missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from indexer.pages.titles import is_caption
from indexer.structuring.units import MARKED, UnitLine, division_line

_FIRST = "(1) "
_FEWEST = 3
"""Units with paragraphs right below their number that make this the form of a law."""
_STOPS = (".", "。")


def lost_units(
    texts: Sequence[str], units: Mapping[int, UnitLine], titles: Collection[int]
) -> dict[int, UnitLine]:
    """Return the places where a unit begins that has no line, and the unit.

    Such a place is a caption in a law whose captions are titles, and a first paragraph below a
    division or below a unit that is a whole sentence, where units have paragraphs or a sentence.
    Between two units there must be as many as there are numbers between theirs. Where numbers are
    set apart by their look, a line that begins with a missing one is its unit without that.

    Args:
        texts: of all lines.
        units: the places of the units among them.
        titles: the places of their titles.
    """
    captioned = any(is_caption(texts[at]) for at in titles)
    parted = _parted(texts, units)
    lost: dict[int, UnitLine] = {}
    for (start, one), (end, other) in pairwise(sorted(units.items())):
        missing = _between(one, other)
        inside = [at for at in range(start + 1, end) if at not in titles]
        if not missing:
            continue
        if one.form == MARKED:
            lost |= _unmarked(texts, missing, inside)
            continue
        places = [at for at in inside if captioned and is_caption(texts[at])]
        if parted and not places:
            places = list(_first_paragraphs(texts, one, inside))
        if len(places) == len(missing):
            lost |= {
                at: replace(unit, text="" if is_caption(texts[at]) else texts[at])
                for at, unit in zip(places, missing, strict=True)
            }
    return lost


def _unmarked(
    texts: Sequence[str], missing: Iterable[UnitLine], inside: Iterable[int]
) -> dict[int, UnitLine]:
    """Return the lines that begin with a missing number, which is not set apart as others are."""
    found: dict[int, UnitLine] = {}
    places = iter(inside)
    for unit in missing:
        label = f"{unit.number}."
        at = next((at for at in places if texts[at].startswith(f"{label} ")), None)
        if at is None:
            break
        found[at] = replace(unit, label=label, text=texts[at].removeprefix(label).strip())
    return found


def _parted(texts: Sequence[str], units: Mapping[int, UnitLine]) -> bool:
    """Return whether no unit has a sentence above its first paragraph."""
    with_first = [
        unit.text
        for at, unit in units.items()
        if at + 1 < len(texts) and texts[at + 1].startswith(_FIRST)
    ]
    whole = sum(text.endswith(_STOPS) for text in with_first)
    return len(with_first) >= _FEWEST and whole <= 1


def _first_paragraphs(texts: Sequence[str], one: UnitLine, inside: Sequence[int]) -> Sequence[int]:
    """Return the first paragraphs between two units that cannot be those of the first one."""
    found = [at for at in inside if texts[at].startswith(_FIRST)]
    if one.text.endswith(_STOPS):
        return found
    divisions = [at for at in inside if division_line(texts[at])]
    return [at for at in found if divisions and at > divisions[0]]


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
