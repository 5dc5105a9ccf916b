"""Which passages are in force, by what their readers found of status and days."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from indexer.acts.eu_titles import iso_date
from search.law_in_time import OPEN, STATUS_IN_TIME, today
from search.records import MetadataValue, Passage

_PARTIAL = re.compile(r"([12]\d{3})(?:-(0[1-9]|1[0-2]))?")
_NEVER = "2200"
"""Days from here on stand for none: publishers write 2999-01-01 and 9999-12-31."""


class _InTime(NamedTuple):
    """What is known of a passage; days are `2026-12-31`, empty: none is known."""

    status: str = ""
    """`in-force`, `past`, `future`, or empty."""
    start: str = ""
    end: str = ""

    def within(self, above: _InTime) -> _InTime:
        """Return what holds of a passage below another one."""
        gone = self.status if self.status in ("past", "future") else above.status or self.status
        ends = [one for one in (self.end, above.end) if one]
        return _InTime(gone, max(self.start, above.start), min(ends, default=""))

    def stored(self, day: str) -> str:
        """Return the value of `status_in_time` on the day of a load; empty: nothing is known.

        A day to come goes before the word of the publisher, since that will change on it.
        """
        status, start, end = self
        if start >= _NEVER:
            status, start = "future", ""
        end = "" if end >= _NEVER or end < start else end
        if status == "future" and start <= day:
            return "future"
        if (status == "past" and start <= day and end < day) or (end and end < day):
            return "past"
        if start > day or end:
            return f"{start if start > day else OPEN}/{end or OPEN}"
        return "in-force" if status or start else ""


def with_status(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages of a document, each with its status in time where it is known.

    What holds of a passage holds of all below it.
    """
    day, known = today(), dict[str, _InTime]()
    found = []
    for passage in passages:
        above = known.get(passage.parent or "", _InTime())
        known[passage.id] = own = _own(passage.metadata).within(above)
        stored = own.stored(day)
        more = {**passage.metadata, STATUS_IN_TIME: stored}
        found.append(replace(passage, metadata=more) if stored else passage)
    return found


def _own(metadata: Mapping[str, MetadataValue]) -> _InTime:
    fields, words = _tables()["fields"], _words()
    said = [str(metadata.get(name, "")) for name in fields["status"]]
    said += [f"{name} {metadata[name]}" for name in fields["flags"] if name in metadata]
    status = next((words[one] for one in map(_plain, said) if one in words), "")
    starts = (_day(metadata.get(name), "01", "01") for name in fields["from"])
    ends = (_day(metadata.get(name), "12", "31") for name in fields["to"])
    return _InTime(status, next(filter(None, starts), ""), next(filter(None, ends), ""))


def _day(value: MetadataValue | None, month: str, day: str) -> str:
    """Return the day that a value names; of a year or a month, this month or day of it."""
    text = str(value or "").strip()
    if partial := _PARTIAL.fullmatch(text):
        return f"{partial[1]}-{partial[2] or month}-{day}"
    return max(iso_date(text[:10]), iso_date(text[:8])) if text[:1] in "123" else ""


def _plain(word: str) -> str:
    return " ".join(word.casefold().replace("_", " ").replace("-", " ").split())


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "statuses.toml").read_text(encoding="utf-8"))


@cache
def _words() -> dict[str, str]:
    return {_plain(word): status for status, words in _tables()["words"].items() for word in words}
