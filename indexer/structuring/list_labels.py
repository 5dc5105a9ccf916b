"""Labels of list items, and which may follow one another: `(h)`, `(i)`, `(ii)`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from search.provisions.roman import roman_value

Style = Literal["number", "letter", "roman", "capital", "capital roman", "dash"]

_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})|xl|l")
_LABEL = re.compile(
    r"(\d+)((?:(?<=\(\d)\.\d+|(?<=\(\d\d)\.\d+)?[a-zA-Z]{0,2})|([a-zA-Z]+)((?<=\([a-z])\.\d+|)"
)
"""A dot counts within brackets: `(3.1)` is behind `(3)`, and `(c.1)` behind `(c)`."""
_WORD = re.compile(r"^[^\W\d_]{2,}\.?\s*(?=\d)")
"""Before the number of a paragraph: `Stk. 2`."""


@dataclass(frozen=True, slots=True)
class Label:
    """One reading of a label."""

    style: Style
    form: str
    """What is around it: `()`, `)`, `.` or nothing."""
    order: tuple[int, str]
    """Sorts the labels of one list: `2`, `2a`, `3`."""

    def follows(self, other: Label) -> bool:
        """Return whether this label may come after another one in the same list."""
        if (self.style, self.form) != (other.style, other.form):
            return False
        return self.style == "dash" or self.order > other.order

    def continues(self, other: Label) -> bool:
        """Return whether this label is the very next one, or an inserted one: `2a` after `2`."""
        if not self.follows(other):
            return False
        return self.style == "dash" or self.order[0] - other.order[0] <= 1

    @property
    def first(self) -> bool:
        """Whether lists begin with it."""
        return self.style == "dash" or self.order == (1, "")


@lru_cache(maxsize=4_096)  # the same few labels number all lists of a document
def readings(text: str) -> tuple[Label, ...]:
    """Return what a label may be: `(i)` is a letter and a Roman numeral."""
    inner = _LABEL.search(_WORD.sub("", text))
    if not inner:
        return (Label("dash", text.strip()[:1], (0, "")),)
    form = "()" if "(" in text else ")" if ")" in text else "." if "." in text else ""
    digits, suffix, letters, inserted = inner.groups()
    if digits:
        return (Label("number", form, (int(digits), suffix.lower())),)
    capital = letters.isupper()
    letters = letters.lower()
    if capital and len(letters) == 1:
        found = [Label("capital", form, (ord(letters) - ord("a") + 1, ""))]
    else:
        orders = _letter_orders(letters)
        found = [Label("letter", form, (number, more or inserted)) for number, more in orders]
    value = roman_value(letters) if _ROMAN.fullmatch(letters) else None
    if value is not None:
        roman = Label("capital roman" if capital else "roman", form, (value, inserted))
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
