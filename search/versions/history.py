"""The versions of a work, and which passage of the index is in which of them.

What an index holds of a work are text states: a rule that several versions leave alone is one
passage. The state of a rule's first wording has the ID of the rule, each later one that ID, an `@`
and the version that it came with. Order and place belong to a version: its outline lists its
states.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Literal

from search.errors import InputError
from search.json_form import Record
from search.law_in_time import NAMED, Interval
from search.records import Passage

DateSource = Literal["flag", "source", "path", "git", "observed", "none"]
"""Where the day of a version comes from."""

DateMeaning = Literal["in-force", "state", "published", "observed", "unknown"]
"""What the day is: from it on the wording is law; of a consolidated state (EU); of publication."""


@dataclass(frozen=True, slots=True)
class Version(Record):
    """The whole text of a work as of one day."""

    version_id: str
    """The day, or a name; unique in its work."""
    valid_from: str | None = None
    """First day, as `2026-12-31`; None: not known."""
    valid_to: str | None = None
    """Last day, where the source gives it."""
    date_source: DateSource = "none"
    date_means: DateMeaning = "unknown"
    observed_at: str = ""
    """Day on which this index got it."""
    passages: int = 0
    source: str = ""
    """File that it was read from."""
    reader: str = ""
    standing: str = ""
    """What the source says of its legal force."""
    problems: tuple[str, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class History:
    """The versions of a work, oldest first, those without a day last."""

    versions: tuple[Version, ...] = ()
    outlines: tuple[tuple[int, ...], ...] = ()
    """For each version the places of its states among the passages of the document."""
    own: Mapping[int, str] = field(default_factory=dict)
    """What the source says of the time of single states, by their places."""

    @classmethod
    def of_text(cls, text: str) -> History:
        """Read what `to_text` wrote; "" is a work with one version that has no day."""
        if not text:
            return cls()
        stored = json.loads(text)
        versions = tuple(
            Version(**{**one, "problems": tuple(one["problems"])}) for one in stored["versions"]
        )
        own = {int(place): time for place, time in stored["own"].items()}
        return cls(versions, tuple(map(_places, stored["outlines"])), own)

    def to_text(self) -> str:
        """Return the form that engines keep; "" for no version."""
        if not self.versions:
            return ""
        stored = {
            "versions": [asdict(one) for one in self.versions],
            "outlines": [_steps(one) for one in self.outlines],
            "own": dict(self.own),
        }
        return json.dumps(stored, ensure_ascii=False, separators=(",", ":"))

    def __bool__(self) -> bool:
        return bool(self.versions)

    @cached_property
    def intervals(self) -> tuple[Interval | None, ...]:
        """The days on which each version is the text; None: it has no day.

        A version holds until the day before the next one, or to its `valid_to`.
        """
        starts = [starts_on(one) for one in self.versions]
        after = [*starts[1:], None][: len(starts)]
        found: list[Interval | None] = []
        for version, start, end in zip(self.versions, starts, after, strict=True):
            if start is None:
                found.append(None)
                continue
            ends = [one for one in (version.valid_to, end and day_before(end)) if one]
            found.append(Interval(start, min(ends, default="")))
        return tuple(found)

    def at(self, day: str) -> int | None:
        """Return the place of the version that is the text on a day; None: there is none.

        A work of one version without a day has it on every day; `=NAME` stands for the version of
        that name.
        """
        if day.startswith(NAMED):
            names = [one.version_id for one in self.versions]
            return names.index(day[1:]) if day[1:] in names else None
        if self.intervals == (None,):
            return 0
        held = enumerate(self.intervals)
        return next((at for at, days in held if days is not None and day in days), None)

    def called(self, name: str) -> int:
        """Return the place of a version by its name, or by a day on which it is the text.

        Raises:
            InputError: there is none; the message lists those that there are.
        """
        for place, one in enumerate(self.versions):
            if one.version_id == name:
                return place
        none = is_day(name)
        if none and (found := self.at(name)) is not None:
            return found
        raise InputError(
            f"no version {'is in force on' if none else 'is called'} {name!r}; "
            f"there are: {', '.join(one.version_id for one in self.versions)}",
            code="version.none-for-date" if none else "version.unknown",
        )

    def only(self, kept: Sequence[bool]) -> History:
        """Return the history of those passages that are kept, by their places."""
        places = {at: new for new, at in enumerate(at for at, one in enumerate(kept) if one)}
        outlines = [tuple(places[at] for at in one if at in places) for one in self.outlines]
        counted = zip(self.versions, outlines, strict=True)
        versions = tuple(replace(one, passages=len(held)) for one, held in counted)
        own = {places[at]: time for at, time in self.own.items() if at in places}
        return History(versions, tuple(outlines), own)

    def text_of(self, place: int, states: Sequence[Passage]) -> list[Passage]:
        """Return the passages of a version in its order.

        Args:
            place: of the version.
            states: all passages of the document, in the order of the index.
        """
        return self.placed([states[at] for at in self.outlines[place]])

    def placed(self, passages: Sequence[Passage]) -> list[Passage]:
        """Return passages of one version, each below the wording that is above it there."""
        here = {rule_id(one.id, self): one.id for one in passages}
        above = (one.parent and here.get(rule_id(one.parent, self)) for one in passages)
        return [
            replace(one, parent=parent) if parent and parent != one.parent else one
            for one, parent in zip(passages, above, strict=True)
        ]


def starts_on(version: Version) -> str | None:
    """Return the first day on which a version is known to be the text; "": it was from the start.

    A version that was only observed is the text from that day on, since what it replaced was it
    until then.
    """
    if version.valid_from:
        return version.valid_from
    return version.observed_at if version.date_means == "observed" else None


def is_day(text: str) -> bool:
    """Return whether a text is a day such as `2026-12-31`."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def day_before(day: str) -> str:
    """Return the day before one; the first that there is has none."""
    found = date.fromisoformat(day)
    return (found - timedelta(1)).isoformat() if found > date.min else day


def day_after(day: str) -> str:
    """Return the day after one; the last that there is has none."""
    found = date.fromisoformat(day)
    return (found + timedelta(1)).isoformat() if found < date.max else day


def joined(intervals: Iterable[Interval]) -> list[Interval]:
    """Return intervals that follow one another as one."""
    found: list[Interval] = []
    for one in sorted(intervals):
        if found and found[-1].last and day_after(found[-1].last) == one.first:
            found[-1] = Interval(found[-1].first, one.last)
        else:
            found.append(one)
    return found


def rule_id(state_id: str, history: History) -> str:
    """Return the ID of the rule that a state is a wording of."""
    for one in history.versions if "@" in state_id else ():
        if state_id.endswith(f"@{one.version_id}"):
            return state_id.removesuffix(f"@{one.version_id}")
    return state_id


def _steps(places: Sequence[int]) -> list[Any]:
    """Return places as runs: `[first, count, …]`."""
    found: list[int] = []
    for place in places:
        if found and found[-2] + found[-1] == place:
            found[-1] += 1
        else:
            found += (place, 1)
    return found


def _places(steps: Sequence[int]) -> tuple[int, ...]:
    return tuple(_unrolled(steps))


def _unrolled(steps: Sequence[int]) -> Iterator[int]:
    for first, count in zip(steps[::2], steps[1::2], strict=True):
        yield from range(first, first + count)
