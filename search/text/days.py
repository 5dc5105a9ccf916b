"""Find the full days that a text names in words or figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from search.language import vocabulary

_MONTH = vocabulary.alternatives(vocabulary.months())
_SHORT_WORD = r"(?:[^\W\d_]{1,2}\s)?"
"""A word between day, month and year: "1 of March", "1 de marzo de 2020"."""
_DAY = re.compile(
    rf"(?<![\w.-])(?:(?P<iso>\d{{4}}-\d\d-\d\d)"
    rf"|(?P<day>\d{{1,2}})(?:[^\W\d_]{{1,2}}|\.)?\s{_SHORT_WORD}(?P<month>{_MONTH}),?\s"
    rf"{_SHORT_WORD}(?P<year>\d{{4}})"
    rf"|(?P<first>{_MONTH})\s(?P<second>\d{{1,2}})(?:[^\W\d_]{{2}})?,?\s(?P<third>\d{{4}}))(?![\w-])",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_BOUND = re.compile(
    rf"\b(?:(?P<until>{vocabulary.any_of('validity.until')})|{vocabulary.any_of('validity.from')})"
    r"\s(?:[^\W\d_]{1,3}\s)?$",
    re.IGNORECASE,
)
_BEFORE = 40
"""Characters before a year in which its day begins, and before a day in which words say that
something begins or ends on it."""


class NamedDay(NamedTuple):
    """A full day, and where a text names it."""

    day: str
    """As `2026-12-31`."""
    start: int
    end: int


def days_in(text: str) -> Iterator[NamedDay]:
    """Yield the days that a text names: `2020-03-01`, `1 March 2020`, `am 1. März 2020`.

    A month or a year alone is none, nor is a day in figures whose month may be the day.
    """
    end = 0
    for one in _YEAR.finditer(text):  # most texts have none, and are read no further
        found = _DAY.search(text, max(end, one.start() - _BEFORE), one.end() + len("-12-31"))
        if found is None or found.end() <= one.start():
            continue
        end = found.end()
        month = vocabulary.months().get((found["month"] or found["first"] or "").casefold(), 0)
        year, day = found["year"] or found["third"], found["day"] or found["second"]
        written = found["iso"] or f"{year}-{month:02}-{int(day):02}"
        try:
            yield NamedDay(date.fromisoformat(written).isoformat(), *found.span())
        except ValueError:  # 31 February
            continue


class Bound(NamedTuple):
    """A day from which, or until which, a text says that something is so."""

    day: str
    words: str
    """As the text has them: `From 10 January 2028`."""
    is_end: bool


def bounds_in(text: str) -> Iterator[Bound]:
    """Yield the days from which, or until which, a text says that something is so."""
    for day, start, end in days_in(text):
        first = max(0, start - _BEFORE)
        if found := _BOUND.search(text[first:start]):
            words = " ".join(text[first + found.start() : end].split())
            yield Bound(day, words, found["until"] is not None)
