"""Which passages are in force on a day, by what the index holds of each.

A passage whose source gives a status or days has `status_in_time` among its metadata: `in-force`,
`past`, `future`, or, where a day to come decides, an interval in the form of ISO 8601 with both
days inclusive: `2027-01-01/..`, `../2026-12-31`. Of any other passage the status is `unknown`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal, get_args

from search.records import Filters, Passage

STATUS_IN_TIME = "status_in_time"
"""Metadata field that a load adds."""

STATUS = "status"
"""Filter field that takes a `Status`; any other value is a word of the publisher."""

PUBLISHED = ("status", "valid_from", "valid_to")
"""Metadata in the words of the publisher, the best known first."""

OPEN = ".."
"""The end of an interval that has none."""

Status = Literal["in-force", "past", "future", "unknown"]

STATUSES: tuple[Status, ...] = get_args(Status)

_KNOWN: dict[str, Status] = {one: one for one in STATUSES}

SEARCHED: tuple[Status, ...] = ("in-force", "unknown")
"""What a search finds that does not filter by status."""


def shown_fields(fields: Collection[str]) -> tuple[str, ...]:
    """Return the filter fields of an index as people name them: `status` for both of its fields."""
    return tuple(sorted({STATUS if one == STATUS_IN_TIME else one for one in fields}))


def today() -> str:
    """Return the day of a search, as `2026-12-31`."""
    return date.today().isoformat()


def status_of(passage: Passage, day: str = "") -> Status:
    """Return the status of a passage on a day; empty: today."""
    return status_on(str(passage.metadata.get(STATUS_IN_TIME, "unknown")), day or today())


def status_on(stored: str, day: str) -> Status:
    """Return the status on a day of what has this value of `status_in_time`."""
    if (known := _KNOWN.get(stored)) is not None:
        return known
    start, _, end = stored.partition("/")
    if end != OPEN and end < day:
        return "past"
    return "future" if start != OPEN and start > day else "in-force"


def in_force(passages: Collection[Passage]) -> list[Passage]:
    """Return the passages that a search of today finds."""
    day = today()
    return [one for one in passages if status_of(one, day) in SEARCHED]


def not_in_force(passage: Passage) -> str:
    """Return what a reader must know of a passage that is not in force today, or "".

    For example: `not in force: past (status Repealed, valid_to 2024-12-31)`.
    """
    status = status_of(passage)
    if status in SEARCHED:
        return ""
    given = [f"{name} {passage.metadata[name]}" for name in PUBLISHED if name in passage.metadata]
    return f"not in force: {status}" + (f" ({', '.join(given)})" if given else "")


def found_with(passage: Passage) -> str:
    """Return what is said of a passage that a search of today does not find."""
    return f"{not_in_force(passage)}; find it with the filter status={status_of(passage)}"


def left_out(passage: Passage) -> str:
    """Return the note on a passage that a search of today does not find."""
    return f"{passage.citation()} is {found_with(passage)}"


@lru_cache
def _parted(
    stored: tuple[str, ...], wanted: tuple[str, ...], day: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stored values that have a wanted status on a day, and the others."""
    met = tuple(one for one in stored if status_on(one, day) in wanted)
    return met, tuple(sorted({*stored}.difference(met)))


def by_status(filters: Filters, stored: tuple[str, ...], default: Sequence[Status] = ()) -> Filters:
    """Return filters with conditions on the status of today as engines take them.

    Args:
        filters: in which `status` may be a `Status`.
        stored: all values of `status_in_time` in the index.
        default: what is found where the filters do not name a status; empty: every passage.
    """
    wanted = filters.fields.get(STATUS, default)
    if not wanted or not set(wanted) <= set(STATUSES):
        return filters
    fields = {name: values for name, values in filters.fields.items() if name != STATUS}
    met, others = _parted(stored, tuple(wanted), today())
    if "unknown" in wanted:
        return Filters(fields, {STATUS_IN_TIME: others} if others else {})
    return Filters({**fields, STATUS_IN_TIME: met} if met else {**fields, "document_id": ()})
