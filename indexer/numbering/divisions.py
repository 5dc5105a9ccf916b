"""Parts and chapters of a text, and whether the numbers in them begin at 1 again.

Most acts count their sections on through the parts. Where each part has a number 1 of its own, the
numbers are those of the part: `PART 2.1.` is what is as `1.` below `PART 2`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from indexer.numbering.line_labels import NumberedLine
from search.provisions.numbering import container_kind, container_rank, segments

_UNIT = re.compile(r"(\D+?)\s?(\d+)\D{0,2}")


def division_rank(number: str) -> int | None:
    """Return the rank of a part or chapter, 0 for an attachment, or None for any other number."""
    parts = segments(number)
    kind = container_kind(parts[0]) if len(parts) == 1 else None
    if kind == "division":
        return container_rank(parts[0])
    return 0 if kind == "attachment" else None


def is_division(number: str) -> bool:
    """Return whether a number is that of a part or chapter alone."""
    return bool(division_rank(number))


class Enclosing:
    """The parts and chapters that are open where numbers start again in them."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def full(self, number: str) -> str:
        """Return a number with those of the parts that it is in; a part's own stays open."""
        rank = division_rank(number)
        if rank is not None:
            self._open = [one for one in self._open if one[0] < rank]
        elif container_kind((segments(number) or ("",))[0]) in {"attachment", "division"}:
            return number  # written out
        above = self._open[-1][1] if self._open else ""
        whole = f"{above}.{number}" if above else number
        if rank is not None:
            self._open.append((rank, whole.rstrip(".:")))
        return whole


@dataclass(slots=True)
class _Part:
    """What is below one heading, or below several in a row."""

    place: int
    """0-based, of the last of them."""
    word: str
    """Of the outermost: `part` of `PART 2` and `Chapter 1`."""
    numbers: list[NumberedLine] = field(default_factory=list)

    @property
    def values(self) -> list[int]:
        return [_value(number) for number in self.numbers]


def begin_anew(numbers: Sequence[NumberedLine]) -> list[int]:
    """Return the places of the parts and chapters in which numbers begin at 1 again.

    Those of a word, such as all chapters, are believed if more of them do so than continue the
    numbers before. What is 1 again in a part that continues later is an item of a list.

    Args:
        numbers: of a text without attachments, or of one attachment, in order.
    """
    parts = list(_parts(numbers))
    found: list[_Part] = []
    votes: Counter[str] = Counter()
    last = 0
    for part in parts:
        if _goes_on(part.values, last):
            votes[part.word] -= 1
        elif last and _is_first(part.numbers[0]) and _is_alike(part, parts[0]):
            votes[part.word] += 1
            found.append(part)
            last = 0
        last = _counted(part.values, last) or _counted(part.values, part.values[0] - 1)
    return [part.place for part in found if votes[part.word] > 0]


def _parts(numbers: Sequence[NumberedLine]) -> Iterator[_Part]:
    """Yield what is below each heading; only what is counted as the first number is counts."""
    part = _Part(-1, "")
    headings: list[int] = []
    counted = next((w for one in numbers if (w := _word(one)) is not None), None)
    for place, one in enumerate(numbers):
        if is_division(one.number):
            headings.append(place)
        elif counted is not None and _word(one) == counted:
            if headings:
                if part.numbers:
                    yield part
                ranked = {division_rank(numbers[at].number): at for at in reversed(headings)}
                outermost = segments(numbers[ranked[min(filter(None, ranked))]].number)[0]
                part = _Part(headings[-1], outermost.partition(" ")[0])
                headings = []
            part.numbers.append(one)
    if part.numbers:
        yield part


def _word(number: NumberedLine) -> str | None:
    """Return the word before a number, "" for one without, or None for one that is not counted."""
    if number.first is not None:
        return ""
    unit = _UNIT.fullmatch(number.number.rstrip(".:"))
    if unit is None or is_division(number.number):
        return None
    return unit[1].lower() if container_kind(segments(number.number)[0]) == "unit" else None


def _value(number: NumberedLine) -> int:
    unit = _UNIT.fullmatch(number.number.rstrip(".:"))
    return number.first if number.first is not None else int(unit[2]) if unit else 0


def _is_first(number: NumberedLine) -> bool:
    """Return whether a number is `1.`, `1.1` or `Rule 1`."""
    if number.first is None:
        return _value(number) == 1
    return all(part == "1" for part in segments(number.number))


def _is_alike(part: _Part, other: _Part) -> bool:
    """Return whether two parts begin in the same way: with `1.` and `2.`, or `1.` and `1.1`."""
    return all(
        (one.bare is None, one.style) == (two.bare is None, two.style)
        for one, two in zip(part.numbers[:2], other.numbers[:2], strict=False)
    )


def _goes_on(values: Sequence[int], last: int) -> bool:
    """Return whether numbers continue those of the part before, though a list may come first.

    They do where the next one comes, and not as what follows from 1 on.
    """
    return last > 0 and _counted(values, last) > 0 and _counted(values, 0) <= last


def _counted(values: Sequence[int], last: int) -> int:
    """Return what values count to from the last number before, by one each; 0 for nothing."""
    end = last
    for value in values:
        end = value if value == end + 1 else end
    return end if end > last else 0
