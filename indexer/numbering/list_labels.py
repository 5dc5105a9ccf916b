"""Lists whose nesting the source does not mark: told by the labels alone.

`(a)`, `(b)`, `(i)`, `(ii)`, `(c)` are two levels: an item is the sibling of the innermost open
item that it can follow, and a first number, letter or numeral opens a list below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from indexer.acts.provisions import Provision
from search.provisions.roman import roman_value

Style = Literal["number", "letter", "roman", "capital", "dash"]

_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})|xl|l")
_LABEL = re.compile(r"(\d+)((?:(?<=\(\d)\.\d+|(?<=\(\d\d)\.\d+)?[a-z]{0,2})|([a-zA-Z]+)")
"""A dot counts within brackets: `(3.1)` stands between `(3)` and `(4)`."""
_FIRST = {"number": "1", "letter": "a", "roman": "i", "capital": "A"}


@dataclass(frozen=True, slots=True)
class Label:
    """One reading of a label."""

    style: Style
    form: str
    """What stands around it: `()`, `)`, `.` or nothing."""
    order: tuple[int, str]
    """Sorts the labels of one list: `2`, `2a`, `3`."""

    def follows(self, other: Label) -> bool:
        """Tell whether this label may come after another one in the same list."""
        if (self.style, self.form) != (other.style, other.form):
            return False
        return self.style == "dash" or self.order > other.order

    def continues(self, other: Label) -> bool:
        """Tell whether this label is the very next one, or an inserted one: `2a` after `2`."""
        if not self.follows(other):
            return False
        return self.style == "dash" or self.order[0] - other.order[0] <= 1

    @property
    def first(self) -> bool:
        """Whether lists begin with it."""
        return self.style == "dash" or self.order == (1, "")


@dataclass(slots=True)
class ListLabels:
    """The open items of one list and of those within it."""

    _open: list[tuple[Label, Provision]] = field(default_factory=list)

    def place(self, item: Provision, outside: Provision, below: bool = False) -> Provision:
        """Return what an item stands below, and keep it open.

        Args:
            item: a point with its label.
            outside: what holds the outermost list.
            below: whether the text before ends with a colon, so that a first label opens a list.
        """
        found = readings(item.label)
        first = next((reading for reading in found if reading.first), None)
        label, depth = self._opened(first) if below and first else self._depth(found)
        del self._open[depth:]
        parent = self._open[-1][1] if self._open else outside
        self._open.append((label, item))
        return parent

    def opens(self, text: str) -> bool:
        """Tell whether lists begin with a label."""
        return any(reading.first for reading in readings(text))

    def continues(self, text: str, gaps: bool = False) -> bool:
        """Tell whether a label comes next in an open list; with `gaps`, some may be missing."""
        return any(
            reading.follows(label) if gaps else reading.continues(label)
            for reading in readings(text)
            for label, _ in self._open
        )

    def close_until(self, later: Sequence[str]) -> None:
        """Close all items but those whose list one of the later labels continues.

        A text without a label after a list closes it; but where `(26)` is still to come, the text
        after the points of `(25)` belongs to `(25)`.
        """
        for depth in range(len(self._open) - 1, -1, -1):
            if _is_continued(self._open[depth][0], later):
                del self._open[depth + 1 :]
                return
        self._open.clear()

    def copy(self, other: ListLabels) -> None:
        """Have the same items open as another one."""
        self._open = list(other._open)

    def clear(self) -> None:
        """Close all lists."""
        self._open.clear()

    @property
    def innermost(self) -> Provision | None:
        """The item that was opened last."""
        return self._open[-1][1] if self._open else None

    def _depth(self, candidates: tuple[Label, ...]) -> tuple[Label, int]:
        """Return the reading of a label that fits best, and how many items enclose it."""
        if found := self._sibling(candidates, Label.continues):
            return found
        for reading in candidates:
            if reading.first:
                return self._opened(reading)
        if found := self._sibling(candidates, Label.follows):
            return found
        return candidates[0], len(self._open)

    def _opened(self, label: Label) -> tuple[Label, int]:
        """Return a label that begins a list, and how many items enclose it.

        No list stands within one of the same look: that one ends, and begins anew.
        """
        for depth, (other, _) in enumerate(self._open):
            if (other.style, other.form) == (label.style, label.form):
                return label, depth
        return label, len(self._open)

    def _sibling(
        self, candidates: tuple[Label, ...], fits: Callable[[Label, Label], bool]
    ) -> tuple[Label, int] | None:
        """Return a reading that fits an open item, and how deep that is; innermost first."""
        for depth in range(len(self._open) - 1, -1, -1):
            for reading in candidates:
                if fits(reading, self._open[depth][0]):
                    return reading, depth
        return None


def _is_continued(label: Label, later: Sequence[str]) -> bool:
    """Tell whether a later label comes next, before a list of the same look begins anew."""
    for text in later:
        if any(reading.continues(label) for reading in readings(text)):
            return True
        if any(r.first and (r.style, r.form) == (label.style, label.form) for r in readings(text)):
            return False
    return False


@lru_cache(maxsize=4_096)  # the same few labels number all lists of a document
def readings(text: str) -> tuple[Label, ...]:
    """Return what a label may be: `(i)` is a letter and a Roman numeral."""
    inner = _LABEL.search(text)
    if not inner:
        return (Label("dash", text.strip()[:1], (0, "")),)
    form = "()" if "(" in text else ")" if ")" in text else "." if "." in text else ""
    digits, suffix, letters = inner.groups()
    if digits:
        return (Label("number", form, (int(digits), suffix)),)
    if letters.isupper() and len(letters) == 1:
        return (Label("capital", form, (ord(letters) - ord("A") + 1, "")),)
    letters = letters.lower()
    found = [Label("letter", form, order) for order in _letter_orders(letters)]
    value = roman_value(letters) if _ROMAN.fullmatch(letters) else None
    if value is not None:
        roman = Label("roman", form, (value, ""))
        found = [roman, *found] if len(letters) > 1 else [*found, roman]
    return tuple(found) or (Label("letter", form, (99, letters)),)


def _letter_orders(letters: str) -> list[tuple[int, str]]:
    """Return the orders of `b` (2), `ba` (inserted after b), `aa` and `ab` (after z as well)."""
    if len(letters) > 3:
        return []
    places = [ord(letter) - ord("a") + 1 for letter in letters]
    found = [(places[0], letters[1:])]
    if len(letters) == 2 and (places[0] == 1 or places[0] == places[1]):
        found.append((26 + places[1], ""))
    return found
