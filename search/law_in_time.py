"""Which passages are in force on a day, by what the index holds of each.

A passage whose source gives a status or days, or that is in some versions of its document, has
`status_in_time` among its metadata: `in-force`, `past`, `future`, or, where days decide, intervals
in the form of ISO 8601 with both days inclusive, parted by blanks: `2027-01-01/..`,
`../2026-12-31 2028-01-01/..`. A version without a day, beside others, stands there as `=NAME`. Of
any other passage the status is `unknown`, as that of `unknown =NAME`, the only version of its
document.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import lru_cache
from typing import NamedTuple, get_args

from search.errors import InputError
from search.language import vocabulary
from search.records import DocumentSummary, Filters, Passage, Status
from search.text.days import days_in

STATUS_IN_TIME = "status_in_time"
"""Metadata field that a load adds."""

STATUS = "status"
"""Filter field that takes a `Status`; any other value is a word of the publisher."""

PUBLISHED = ("status", "valid_from", "valid_to")
"""Metadata in the words of the publisher, the best known first."""

OPEN = ".."
"""The end of an interval that has none."""

NAMED = "="
"""What begins the name of a version that has no day."""

MOST_LISTED = 20
"""Names of versions in a refusal."""

ALL = "all"
"""In place of a day: everything that the index holds, whenever it is in force."""

STATUSES: tuple[Status, ...] = get_args(Status)

_VALIDITY = re.compile(rf"\b{vocabulary.any_of('validity.words')}\b", re.IGNORECASE)
_BESIDE = 24
"""Characters beside a day in which a word of validity is about it."""

_KNOWN: dict[str, Status] = {one: one for one in STATUSES}

SEARCHED: tuple[Status, ...] = ("in-force", "unknown")
"""What a search finds that does not filter by status."""

_ASKED: ContextVar[str] = ContextVar("asked_day", default="")


@contextmanager
def as_of(day: str | None) -> Iterator[None]:
    """Let another day than today be that of the searches and answers within; None: as it is."""
    if day is None:
        yield
        return
    token = _ASKED.set(day)
    try:
        yield
    finally:
        _ASKED.reset(token)


def ask_of(day: str | None) -> None:
    """Let a day be that of the rest of this context, such as a request; None: today."""
    _ASKED.set(day or "")


def asked_day() -> str:
    """Return the day of the search or answer in hand, as `2026-12-31`: today, or that of `as_of`,
    which may be `ALL`, or `=` and the name of a version.
    """
    return _ASKED.get() or today()


def today() -> str:
    """Return the day, as `2026-12-31`."""
    return date.today().isoformat()


def day_of(question: str, day: str | None = None) -> str | None:
    """Return the day to search for a question: a given one, else that of `as_of`, else the one
    that the question asks for; None: none of them.
    """
    is_text = isinstance(question, str)  # anything else is refused where it is searched
    return day or (day_asked_in(question) if is_text and not _ASKED.get() else None)


@lru_cache
def day_asked_in(question: str) -> str | None:
    """Return the day whose law a question asks for: `in force on 1 March 2020`; None: none.

    A full day beside a word of validity does; a year alone, or two days, do not.
    """
    days = list(days_in(question))
    if len(days) != 1:
        return None
    day, start, end = days[0]
    beside = (question[:start][-_BESIDE:], question[end:][:_BESIDE])
    return day if any(map(_VALIDITY.search, beside)) else None


def shown_fields(fields: Collection[str]) -> tuple[str, ...]:
    """Return the filter fields of an index as people name them: `status` for both of its fields."""
    return tuple(sorted({STATUS if one == STATUS_IN_TIME else one for one in fields}))


def stored_in(passage: Passage | DocumentSummary) -> str:
    """Return the `status_in_time` of a passage, or of a whole document."""
    return str(passage.metadata.get(STATUS_IN_TIME, "unknown"))


def status_of(passage: Passage | DocumentSummary, day: str = "") -> Status:
    """Return the status of a passage, or of a whole document, on a day; empty: the asked one."""
    return status_on(stored_in(passage), day or asked_day())


def status_on(stored: str, day: str) -> Status:
    """Return the status on a day of what has this value of `status_in_time`; for `ALL` days and a
    named version, that of today.
    """
    if (known := _KNOWN.get(stored)) is not None:
        return known
    days = intervals_in(stored)
    if not days:
        return "unknown"
    day = _calendar_day(day)
    if any(day in one for one in days):
        return "in-force"
    return "past" if any(last and last < day for _, last in days) else "future"


class Interval(NamedTuple):
    """Days from the first to the last, both inclusive; "" has no end."""

    first: str
    last: str

    def __contains__(self, day: object) -> bool:
        return self.first <= str(day) and (not self.last or str(day) <= self.last)

    def within(self, other: Interval) -> Interval | None:
        """Return the days of both; None: there are none."""
        last = min((one for one in (self.last, other.last) if one), default="")
        first = max(self.first, other.first)
        return Interval(first, last) if not last or first <= last else None

    def __str__(self) -> str:
        return f"{self.first or OPEN}/{self.last or OPEN}"


def intervals_in(stored: str) -> list[Interval]:
    """Return the intervals of a value of `status_in_time`."""
    parted = (one.partition("/") for one in stored.split() if "/" in one)
    return [Interval(_end(first), _end(last)) for first, _, last in parted]


def interval_on(stored: str, day: str) -> Interval:
    """Return the interval around a day; one without ends where there is none."""
    day = _calendar_day(day)
    return next((one for one in intervals_in(stored) if day in one), Interval("", ""))


def _calendar_day(day: str) -> str:
    return day if day[:1].isdecimal() else today()


def _end(day: str) -> str:
    return "" if day == OPEN else day


def _is_searched(stored: str, day: str) -> bool:
    """Return whether a search of a day that does not filter by status finds a value."""
    if day.startswith(NAMED):
        return day in stored.split()
    only_named = NAMED in stored and "/" not in stored and "unknown" not in stored.split()
    return day == ALL or (not only_named and status_on(stored, day) in SEARCHED)


def is_searched(passage: Passage) -> bool:
    """Return whether a search of the asked day finds a passage."""
    return _is_searched(stored_in(passage), asked_day())


def is_dated(passage: Passage) -> bool:
    """Return whether days, or the version, decide about a passage."""
    stored = stored_in(passage)
    return "/" in stored or NAMED in stored


def in_their_day(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield the passages without those that are a text of other days than the asked one."""
    yield from (one for one in passages if not is_dated(one) or is_searched(one))


def in_force(passages: Collection[Passage]) -> list[Passage]:
    """Return the passages that a search of the asked day finds."""
    day = asked_day()
    return [one for one in passages if _is_searched(stored_in(one), day)]


def not_in_force(passage: Passage | DocumentSummary) -> str:
    """Return what a reader must know of what is not in force on the asked day, or "".

    For example: `not in force: past (status Repealed, valid_to 2024-12-31)`, or, with a day,
    `not in force on 2021-06-01: future (2024-01-09/..)`.
    """
    status = status_of(passage)
    if status in SEARCHED:
        return ""
    given = [f"{name} {passage.metadata[name]}" for name in PUBLISHED if name in passage.metadata]
    given = given or [str(one) for one in intervals_in(stored_in(passage))]
    day = f" on {asked_day()}" if asked_day() != today() else ""
    return f"not in force{day}: {status}" + (f" ({', '.join(given)})" if given else "")


def found_with(passage: Passage) -> str:
    """Return what is said of a passage that a search of the asked day does not find."""
    days = intervals_in(stored_in(passage))
    way = f"with the filter status={status_of(passage)}"
    way = f"as of {days[0].first or days[0].last}" if days else way
    return f"{not_in_force(passage)}; find it {way}"


def left_out(passage: Passage) -> str:
    """Return the note on a passage that a search of the asked day does not find."""
    return f"{passage.citation()} is {found_with(passage)}"


@lru_cache
def _parted(
    stored: tuple[str, ...], wanted: tuple[str, ...], day: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stored values that have a wanted status on a day, and the others; nothing wanted:
    what is searched.
    """
    met = tuple(
        one
        for one in stored
        if (status_on(one, day) in wanted if wanted else _is_searched(one, day))
    )
    return met, tuple(sorted({*stored}.difference(met)))


def check_named(stored: tuple[str, ...]) -> None:
    """Refuse the name of a version that the index does not have.

    Args:
        stored: all values of `status_in_time` in the index.
    """
    if not (asked := asked_day()).startswith(NAMED):
        return
    named = sorted({one for value in stored for one in value.split() if one.startswith(NAMED)})
    if asked not in named:
        listed = ", ".join(one.removeprefix(NAMED) for one in named[:MOST_LISTED]) or "none"
        raise InputError(
            f"no version is called {asked[1:]!r:.80}; versions with names: {listed}",
            code="version.unknown",
        )


def by_status(filters: Filters, stored: tuple[str, ...], *, searched: bool = False) -> Filters:
    """Return filters with conditions on the status of the asked day as engines take them.

    Args:
        filters: in which `status` may be a `Status`.
        stored: all values of `status_in_time` in the index.
        searched: whether only what is in force, or may be, is found where the filters do not name
            a status; otherwise every passage is.
    """
    wanted = tuple(filters.fields.get(STATUS, ()))
    if not set(wanted) <= set(STATUSES) or not (wanted or searched):
        return filters
    fields = {name: values for name, values in filters.fields.items() if name != STATUS}
    day = asked_day()
    met, others = _parted(stored, wanted, day)
    if "unknown" in wanted or not (wanted or day.startswith(NAMED)):
        return Filters(fields, {STATUS_IN_TIME: others} if others else {})
    return Filters({**fields, STATUS_IN_TIME: met} if met else {**fields, "document_id": ()})
