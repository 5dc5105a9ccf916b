"""Gaps and jumps in the numbers of a document: 2.5 after 2.2, (d) after (b), 3 after 4."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from indexer.structuring.labels.order import Label, Style, readings
from search.provisions.numbering import container_kind

_LAST = re.compile(r"(?:([a-z]+) |([a-z]{1,3})(?=\d))?(\d+[a-z]{0,2}|[ivxlc]+|[a-z]{1,2})")
_COUNTED_WORDS = frozenset({"footnote", "guidance"})
"""Words that are not containers, and come before numbers that run on."""

_Group = tuple[tuple[str, ...], str]
"""What encloses numbers of one kind, and the word before them."""


@dataclass(frozen=True, slots=True)
class OrderFault:
    """A number that does not come where it should."""

    index: int
    """0-based place of the passage."""
    kind: Literal["gap", "jump"]
    message: str


@dataclass(frozen=True, slots=True)
class _LastPart:
    """The last part of a passage's number, in every way it can be read."""

    index: int
    name: str
    """The number as the source writes it."""
    prefix: tuple[str, ...]
    labels: tuple[Label, ...]


@dataclass(slots=True)
class _Running:
    """The last numbers that those of the next part, chapter or appendix may continue from."""

    by_enclosing: dict[_Group, tuple[Label, str]] = field(default_factory=dict)
    """By what encloses the parts and chapters."""
    by_look: dict[tuple[str, Style], tuple[Label, str]] = field(default_factory=dict)
    """By the word and the style of the number, wherever it is."""

    def note(self, part: _LastPart, word: str, label: Label) -> None:
        """Go on to a number."""
        last = (label, part.name)
        self.by_enclosing[_outside(part.prefix), word] = last
        self.by_look[word, label.style] = last

    def before(self, part: _LastPart, word: str, label: Label) -> tuple[Label, str] | None:
        """Return the number that the first one below another continues from, if it does.

        Through parts and chapters it may continue a gap; below other words, such as those of an
        appendix, only without; below a number it starts again.
        """
        outside = _outside(part.prefix)
        last = self.by_enclosing.get((outside, word))
        if last and outside != part.prefix and label.follows(last[0]):
            return last
        enclosing = _LAST.fullmatch(part.prefix[-1]) if part.prefix else None
        if enclosing and not enclosing[1]:
            return None
        last = self.by_look.get((word, label.style))
        return last if last and label.continues(last[0]) else None


@dataclass(slots=True)
class _Series:
    """The numbers below one passage, so far."""

    exists: set[tuple[Style, tuple[int, str]]] = field(default_factory=set)
    """All of them, also those still to come, in every way they can be read."""
    whole: bool = True
    """Whether the document holds what encloses them, so that they should begin with the first; a
    code continues through many documents."""
    last: dict[Style, tuple[Label, str]] = field(default_factory=dict)


def order_faults(names: Sequence[str], numbers: Sequence[tuple[str, ...]]) -> list[OrderFault]:
    """Return where the numbers of a document are not in order, by place.

    Numbers are compared with those that are below the same one. Where rule numbers run on
    through parts and chapters, those of the next chapter may continue.

    Args:
        names: the numbers as the source writes them.
        numbers: their segments (see `search.provisions.numbering.segments`).
    """
    known, codes = set(numbers), _codes(names, numbers)
    series: dict[_Group, _Series] = {}
    members: list[tuple[_Group, _LastPart]] = []
    for index, number in enumerate(numbers):
        if found := _last_part(number):
            word, labels = found
            group = (number[:-1], word)
            members.append((group, _LastPart(index, names[index], number[:-1], labels)))
            whole = (not number[:-1] or number[:-1] in known) and number not in codes
            below = series.setdefault(group, _Series(whole=whole))
            below.exists.update((label.style, label.order) for label in labels)
    for group, count in Counter(group for group, _ in members).items():
        if count == 1 and not group[0]:  # one chapter of a book, in a file of its own
            series[group].whole = False
    running = _Running()
    faults: list[OrderFault] = []
    for (prefix, word), part in members:
        label, fault = _place(part, word, series[prefix, word], running)
        running.note(part, word, label)
        faults += [fault] if fault else []
    return faults


def _codes(names: Sequence[str], numbers: Sequence[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Return the titles and parts of a code, whose sections name their part: `§ 240.10b-5`."""
    return {
        number[:depth]
        for name, number in zip(names, numbers, strict=True)
        if "§" in name and any(f"part {one}" in number for one in number)
        for depth in range(1, len(number))
    }


def _last_part(number: tuple[str, ...]) -> tuple[str, tuple[Label, ...]] | None:
    """Return the word and the label at the end of a number; None for one that counts nothing."""
    found = _LAST.fullmatch(number[-1]) if number else None
    if not found:
        return None
    word, prefix, label = found.groups()
    if word and not (word in _COUNTED_WORDS or container_kind(number[-1])):
        return None
    return word or prefix or "", readings(label)


def _place(
    part: _LastPart, word: str, series: _Series, running: _Running
) -> tuple[Label, OrderFault | None]:
    """Return the reading of a number that fits best, and what is wrong with its place."""
    for label in part.labels:
        last = series.last.get(label.style)
        if last and (label.order == last[0].order or label.continues(last[0])):
            series.last[label.style] = (label, part.name)
            return label, None
    for label in part.labels:
        if label.style not in series.last and label.order <= (1, "z"):
            series.last[label.style] = (label, part.name)
            return label, None
    label = next((one for one in part.labels if one.style in series.last), part.labels[0])
    last = series.last.get(label.style) or running.before(part, word, label)
    series.last[label.style] = (label, part.name)
    return label, _fault(part, label, last, series)


def _outside(prefix: tuple[str, ...]) -> tuple[str, ...]:
    """Return what encloses numbers that run on through parts, chapters and sections."""
    inner = prefix[-1:]
    if inner and container_kind(inner[0]) == "unit":
        prefix = prefix[:-1]
    return tuple(part for part in prefix if container_kind(part) != "division")


def _fault(
    part: _LastPart, label: Label, last: tuple[Label, str] | None, series: _Series
) -> OrderFault | None:
    """Return what is wrong with a number that comes after another one, or first."""
    name = part.name
    if last is None:
        missing = series.whole and _missing(0, label, series)
        before = f"numbers begin at {name}"
        return OrderFault(part.index, "gap", before) if missing else None
    other, other_name = last
    if not label.follows(other):
        return OrderFault(part.index, "jump", f"{name} comes after {other_name}")
    if missing := _missing(other.order[0], label, series):
        noun = "number" if missing == 1 else "numbers"
        verb = "is" if missing == 1 else "are"
        message = f"{name} follows {other_name}: {missing:,} {noun} between {verb} missing"
        return OrderFault(part.index, "gap", message)
    return None


def _missing(after: int, label: Label, series: _Series) -> int:
    """Count the numbers between that are nowhere below the same passage."""
    present = {
        order[0] for style, order in series.exists
        if style == label.style and after < order[0] < label.order[0]
    }  # fmt: skip
    return max(0, label.order[0] - after - 1 - len(present))
