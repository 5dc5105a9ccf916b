"""What comes after what: numbers with suffixes, letters, Roman numerals, dotted numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from search.language.vocabulary import LATIN_SUFFIXES
from search.provisions.roman import roman_value

Style = Literal["number", "letter", "roman", "capital", "capital roman", "dash"]

LATIN = {word: chr(ord("a") + at) for at, word in enumerate(LATIN_SUFFIXES, 1)} | {"nonies": "i"}
"""Suffixes of numbers that were put in after others: `2 bis` is between 2 and 3, as 2b is."""

_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})|xl|l")
_LABEL = re.compile(
    rf"(\d+)(\s?(?:{'|'.join(LATIN)})\b|(?:(?<=\(\d)\.\d+|(?<=\(\d\d)\.\d+)?[a-zA-Z]{{0,2}})"
    r"|([a-zA-Z]+)((?<=\([a-z])\.\d+|)"
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
        (number, suffix), (before, earlier) = self.order, other.order
        longer = number == before and len(suffix) > len(earlier)  # 325aa after 325z
        return self.style == "dash" or longer or self.order > other.order

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
        suffix = suffix.strip().lower()
        return (Label("number", form, (int(digits), LATIN.get(suffix, suffix))),)
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


def follows(mine: str, theirs: str, gap: int = 1) -> bool:
    """Return whether one number, letter or numeral comes after another, at most `gap` later.

    `12A` and `13` follow `12`, `2 ter` follows `2 bis`; `i` follows `h`, and is 1 as well.
    """
    return any(
        one.follows(other) and one.order[0] - other.order[0] <= gap
        for one in readings(mine)
        for other in readings(theirs)
    )


def dotted_follows(mine: Sequence[str], theirs: Sequence[str], gap: int = 1) -> bool:
    """Return whether the parts of a dotted number come next: 1.2, 1.1.1 or 2.1 after 1.1."""
    for place, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if one != other:
            return follows(one, other, gap) and set(mine[place + 1 :]) <= {"1"}
    return list(mine[len(theirs) :]) == ["1"]
