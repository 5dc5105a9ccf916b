"""Find what is counted: times, amounts of money, shares, and numbers of anything."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from generation.statements.forces import NEGATIONS
from generation.statements.words import Word
from search.text.analyzer import FUNCTION_WORDS, tokens

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SAME_TIME: float = _TABLES.pop("same_time")
_AHEAD: int = _TABLES.pop("ahead")
_BEHIND: int = _TABLES.pop("behind")
_DAYS: Mapping[str, float] = _TABLES.pop("days")
_FORMS: Mapping[str, Mapping[str, str]] = {
    kind: {form: meant for meant, forms in table.items() for form in forms}
    for kind, table in _TABLES.items()
}
"""Kind of measure → word → what it stands for."""

KINDS = ("time", "currency", "share", "limit", "often")

TIMES = frozenset(_FORMS["time"])
"""Words for units of time."""

_GROUP = re.compile(r"\d{3}")
_EITHER_WAY = re.compile(r"\d \d{3}$|^\D*\d{1,3}\.\d{3}$")
"""Digits that may be the thousands of one number or numbers of their own."""


Bound = Literal["least", "most", ""]
"""Whether a value is the least or the most; empty: neither is said."""


class Quantity(NamedTuple):
    """So much of something."""

    kind: str
    """`time`, `every`, `date`, `money`, `share`, or the stem of what is counted."""
    amount: str
    unit: str = ""

    @property
    def is_time(self) -> bool:
        """Whether it is a period or a frequency."""
        return self.unit in _DAYS

    def differs(self, other: Quantity) -> bool:
        """Return whether another of the same kind is not the same."""
        if self.unit == other.unit or not (self.is_time and other.is_time):
            return self != other
        one, two = self._size, other._size
        return abs(one - two) > _SAME_TIME * max(one, two)

    def excludes(self, other: Quantity, bound: Bound, others: Bound) -> bool:
        """Return whether what is bound to this value cannot keep to another of its kind."""
        if not self.differs(other) or {bound, others} == {"least", "most"}:
            return False
        if bound == others or self.kind == "date" or (self.unit != other.unit and not self.is_time):
            return True
        lower, upper = (self, other) if bound == "least" or others == "most" else (other, self)
        return lower._size > upper._size

    @property
    def _size(self) -> float:
        return float(self.amount) * _DAYS.get(self.unit, 1)

    def __str__(self) -> str:
        return f"{self.amount} {self.unit or self.kind}"


@lru_cache(maxsize=32_768)  # mostly of single words, and those of a language are few
def measures_of(*words: str) -> Mapping[str, frozenset[str]]:
    """Return kind of measure → what the words say of it; empty sets where they say nothing."""
    return {
        kind: frozenset(meant[word] for word in words if word in meant)
        for kind, meant in _FORMS.items()
    }


def quantities_in(words: Sequence[Word]) -> dict[Quantity, Sequence[int]]:
    """Return each quantity with the places of its words."""
    found, used = dict[Quantity, Sequence[int]](), set[int]()
    for place in range(len(words)):
        if place not in used and (one := _quantity_at(words, place)):
            found[one[0]] = one[1]
            used.update(one[1])
    return found


def bound_of(words: Sequence[Word], places: Sequence[int], is_ban: bool) -> Bound:
    """Return what kind of bound a value at some places is; "must not exceed" forbids more."""
    near = words[max(0, places[0] - _AHEAD) : places[-1] + 1 + _BEHIND]
    forms = [word.form for word in near]
    limits = measures_of(*forms)["limit"]
    if limits & {"over", "under"}:
        is_turned = is_ban or not NEGATIONS.isdisjoint(forms)
        return "most" if ("under" in limits) != is_turned else "least"
    return "most" if "most" in limits else "least" if "least" in limits else ""


def _form(words: Sequence[Word], place: int) -> str:
    return words[place].form if 0 <= place < len(words) else ""


def _quantity_at(words: Sequence[Word], place: int) -> tuple[Quantity, Sequence[int]] | None:
    """Return the quantity that begins at a place, and the places of its words.

    In front of a noun, `quarterly` says which one: `quarterly return`.
    """
    word = words[place]
    before, behind = _form(words, place - 1), _form(words, place + 1)
    if word.kind == "date":
        return Quantity("date", word.form), [place]
    is_unsure = _EITHER_WAY.search(f"{before} {word.form}") or _GROUP.fullmatch(behind)
    is_number = word.kind == "number" and not is_unsure
    is_number = is_number and word.form.replace(".", "", 1).isdigit()
    if time := _time_at(words, place, behind, is_number):
        return time
    if not is_number:
        return None
    if behind == "per":
        return Quantity("share", word.form), range(place, place + 3)
    for at in (place - 1, place + 1):
        if money := measures_of(_form(words, at))["currency"]:
            return Quantity("money", word.form, min(money)), sorted((place, at))
    is_noun = behind.isalpha() and behind not in FUNCTION_WORDS
    counted = "".join(tokens(behind)) if is_noun else ""
    return (Quantity(counted, word.form), [place, place + 1]) if counted else None


def _time_at(
    words: Sequence[Word], place: int, behind: str, is_number: bool
) -> tuple[Quantity, Sequence[int]] | None:
    word, here = words[place], measures_of(words[place].form)
    if often := {word.form} if is_number and measures_of(behind)["multiple"] else here["often"]:
        end = place + 1 + is_number
        time = measures_of(_form(words, end + 1))["time"]
        if time and measures_of(_form(words, end))["period"]:
            amount = f"{1 / float(min(often)):.10g}"
            return Quantity("every", amount, min(time)), range(place, end + 2)
    period = here["period"] & {"every", "one"}
    counts = is_number or (bool(period) and behind in TIMES)
    time = measures_of(_form(words, place + counts))["time"]
    adverb = word.form.endswith(("ly", "lich")) and (not behind or behind in FUNCTION_WORDS)
    if not time or not (counts or adverb):
        return None
    ahead = measures_of(_form(words, place - 1))["period"]
    every, half = "every" in ahead, "half" in ahead
    amount = word.form if is_number else "0.5" if half else "1"
    kind = "every" if every or not (is_number or "one" in period) else "time"
    return Quantity(kind, amount, min(time)), range(place - (every or half), place + counts + 1)
