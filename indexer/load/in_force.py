"""Which passages are in force, by what their readers found of status and days."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from indexer.load.report import count, named
from indexer.structuring.acts.eu_titles import iso_date
from indexer.structuring.labels.line_labels import HEADING_WORDS
from search.law_in_time import OPEN, STATUS_IN_TIME, today
from search.records import MetadataValue, Passage

_PARTIAL = re.compile(r"([12]\d{3})(?:-(0[1-9]|1[0-2]))?")
_NAME, _ORDINAL = r"([^\W\d_]{3,12})\.?", r"(\d{1,2})(?:st|nd|rd|th|er|\.)?"
_DATES = [
    (re.compile(form, re.IGNORECASE), orders)
    for form, orders in {
        r"(?<!\d)([1-9]\d{3})([-/.]?)(\d\d)\2(\d\d)(?!\d)": [(1, 3, 4)],
        r"(?<!\d)(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?!\d)": [(3, 2, 1)],
        r"(?<!\d)(\d{1,2})([-/])(\d{1,2})\2(\d{4})(?!\d)": [(4, 3, 1), (4, 1, 3)],
        rf"(?<!\d){_ORDINAL}[ -](?:of )?{_NAME},?[ -](\d{{4}})(?!\d)": [(3, 2, 1)],
        rf"{_NAME} {_ORDINAL},? (\d{{4}})(?!\d)": [(3, 1, 2)],
    }.items()
]
"""Forms of a day, each with the places of its year, month and day; some have two readings."""
_WORDS = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")
_NOTE = re.compile(r"\[[^][\n]+\]")
"""What an editor writes into the text of others."""
_READ = 100
"""Characters of a value that are read."""
_CONTRARY = {"in-force": "past"}
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

    def stored(self, day: str, *, within: bool) -> str:
        """Return the value of `status_in_time`; empty: nothing is known.

        Days go before the word of the publisher: they also say what was, and will be, on others.

        Args:
            day: on which the word of the publisher holds.
            within: whether what was before that day is not asked, since a version begins on it.
        """
        status, start, end = self
        if start >= _NEVER:
            status, start = "future", ""
        end = "" if end >= _NEVER or end < start else end
        if status == "future" and start <= day:
            return "future"
        has_ended = (within and end < day) if end else status == "past"
        if has_ended and start <= day:
            return "past"
        start = "" if within and start <= day else start
        if start or end:
            return f"{start or OPEN}/{end or OPEN}"
        return "in-force" if status or self.start else ""


def with_status(passages: Sequence[Passage], day: str = "") -> list[Passage]:
    """Return the passages of a document, each with its status in time where it is known.

    What holds of a passage holds of all below it.

    Args:
        passages: in their order.
        day: of the version that they are; empty: they are none with a day.
    """
    known = dict[str, _InTime]()
    found = []
    for passage in passages:
        above = known.get(passage.parent or "", _InTime())
        own = _own(passage.metadata)
        own = own if own.status or own.end else own._replace(status=_written(passage.text))
        known[passage.id] = own = own.within(above)
        stored = own.stored(day or today(), within=bool(day))
        more = {**passage.metadata, STATUS_IN_TIME: stored}
        found.append(replace(passage, metadata=more) if stored else passage)
    return found


def says_in_force(passage: Passage) -> bool:
    """Return whether the source of a passage says that it is in force."""
    return _own(passage.metadata).status == "in-force"


def day_of(value: str) -> str:
    """Return the day that a text names, as `2026-12-31`; "" where it is none, or may be several."""
    _, first, last = _day(value)
    return first if first == last and first < _NEVER else ""


def unread_status(passages: Iterable[Passage]) -> Counter[str]:
    """Count the passages by each field that seems to say when they are in force and does not."""
    return Counter(
        f"{name} {str(value)[:_READ]!r}"
        for passage in passages
        for name, value in passage.metadata.items()
        if _read(name, str(value)[:_READ]) is None
    )


def unread_note(found: Mapping[str, int]) -> list[str]:
    """Return the sentence of a report on `unread_status`; none for none."""
    if not found:
        return []
    told = named([f"{what} ({count(number, 'passage')})" for what, number in found.items()])
    return [
        f"Status or days that were not understood, and ignored: {told}. Write a status such as "
        "'repealed', and days as 2026-12-31."
    ]


def _own(metadata: Mapping[str, MetadataValue]) -> _InTime:
    last = _tables()["fields"]["status"]  # its days count where no field has them
    names = sorted(metadata, key=lambda name: _plain(name) in last)
    read = filter(None, (_read(name, str(metadata[name])[:_READ]) for name in names))
    return _InTime(*(next(filter(None, said), "") for said in zip(_InTime(), *read, strict=True)))


def _written(text: str) -> str:
    """Return the status that a text gives itself, in a note of its editor or as all that it says.

    `§ 2 [Repealed]` does. Of a text of several lines, that is a heading above the others.
    """
    line, _, below = text.strip().partition("\n")
    if below and not (line.endswith("]") and len(line.split()) <= HEADING_WORDS):
        return ""
    notes = list(_NOTE.finditer(line))
    around = [one[0] for one in notes if not one.start() or one.end() >= len(line.rstrip("."))]
    for said in filter(None, (line, *around)):
        plain = _plain(said[:_READ])
        first = _known().match(plain)
        more = plain[first.end() :] if first else ""
        noted = said[0] in "[(" and said.rstrip(".")[-1:] in "])"
        sourced = noted and any(map(str.isdigit, more))  # "[Repealed by Act 3 of 2019]"
        if first and (not more or sourced):
            return status if (status := _words()[first[0]]) in ("past", "future") else ""
    return ""


@lru_cache(maxsize=4096)
def _read(name: str, value: str) -> _InTime | None:
    """Return what a field says; None: it may speak of its time, and is not understood."""
    fields, values = _tables()["fields"], _tables()["values"]
    name, plain = _plain(name), _plain(value)
    if name in fields["flags"] and plain in (*values["yes"], *values["no"]):
        status = _words()[name]
        return _InTime(status if plain in values["yes"] else _CONTRARY.get(status, ""))
    before, start, end = _day(value)
    if name in (*fields["to"], *fields["from"]):
        day = _InTime(end=end) if name in fields["to"] else _InTime(start=start)
        return day if end or plain in values["open"] else None
    first = _known().search(plain)
    status = _words()[first[0]] if first else ""
    if name in fields["status"] or (name in fields["perhaps"] and plain in _words()):
        until = tuple(f" {_plain(word)}" for word in values["until"])
        ends = status == "past" or f" {_plain(before)}".endswith(until)
        known = _InTime(status, "" if ends else start, end if ends else "")
        return known._replace(status=status.replace("neutral", "")) if status or not plain else None
    late = status in ("past", "future")
    like = (late or end) and not {*name.split()}.isdisjoint(fields["like"])
    unclear = not end if name in fields["flags"] else like or (late and plain in _words())
    return None if unclear else _InTime()


def _day(value: str) -> tuple[str, str, str]:
    """Return what is before the day that a text names, and the first and last day it may be.

    The text may be a year or a month, and `03/04/2026` a day of March or of April.
    """
    if partial := _PARTIAL.fullmatch(value.strip()):
        year, month = partial[1], partial[2]
        return "", f"{year}-{month or '01'}-01", f"{year}-{month or '12'}-31"
    for form, orders in _DATES:
        if found := form.search(value):
            read = [[found[place] for place in order] for order in orders]
            days = sorted(filter(None, (_iso(*one) for one in read)))
            return (value[: found.start()], days[0], days[-1]) if days else ("", "", "")
    return "", "", ""


def _iso(year: str, month: str, day: str) -> str:
    if not month.isdecimal():
        names = enumerate(_tables()["values"]["months"], start=1)
        month = str(
            next((n for n, begins in names if month.casefold().startswith(tuple(begins))), 0)
        )
    return iso_date(f"{year}{month:0>2}{day:0>2}")


def _plain(text: str) -> str:
    """Return words in lower case, with blanks for signs and between those of `validTo`."""
    return " ".join(_WORDS.sub(" ", text).casefold().split())


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "statuses.toml").read_text(encoding="utf-8"))


@cache
def _words() -> dict[str, str]:
    return {_plain(word): status for status, words in _tables()["words"].items() for word in words}


@cache
def _known() -> re.Pattern[str]:
    longest_first = sorted(_words(), key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, longest_first))})(?!\S)")
