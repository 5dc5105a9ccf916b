"""The divisions of a page: those of a table of contents, and those that come after an annex."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.structuring.series import RunningUnits
from indexer.structuring.units import LONGEST_TITLE, division_line, key_of, ordered

_FEWEST = 3

Division = tuple[int, str]
"""Place, and word and number in lower case: `chapter 5`."""


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


def goes_on(name: str, divisions: Sequence[Division], place: int) -> bool:
    """Return whether a division behind a place comes after one of the same word."""
    word, _, number = name.lower().partition(" ")
    key = ordered(key_of(number))
    return any(
        at > place and later.startswith(f"{word} ") and ordered(key_of(later.split(" ")[1])) > key
        for at, later in divisions
    )


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
    if len(listed) < _FEWEST:
        return frozenset()
    end = listed[-1] + 1
    while end < first and _continues(texts[end]):
        end += 1
    return frozenset(range(listed[0], end))


def _continues(text: str) -> bool:
    """Return whether a line is the end of an entry: `74)`."""
    continued = text[:1].islower() or text[:1].isdigit() or text.endswith(")")
    return continued and len(text.split()) <= LONGEST_TITLE and division_line(text) is None
