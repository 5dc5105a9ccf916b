"""What changed in the law of an index between two days, work by work."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from search.errors import InputError
from search.json_form import Record
from search.law_in_time import Interval, intervals_in, status_on
from search.records import DocumentSummary, Passage, Status
from search.versions.alignment import rules_of
from search.versions.compare import Comparison, compare
from search.versions.history import History, day_after, day_before, is_day
from search.versions.works import Works


@dataclass(frozen=True, slots=True)
class Affected(Record):
    """What was written on a rule that changed, and is to be read again."""

    kind: Literal["answered-question", "passage", "stored-answer"]
    """`passage`: one of another document that cites the rule."""
    id: str
    text: str
    """The question, or where the passage is."""
    number: str
    """Of the rule, as the change has it."""


@dataclass(frozen=True, slots=True)
class Amendment(Record):
    """What changed in a work on a day."""

    document_title: str
    valid_from: str
    """The day."""
    status: Status
    """Of the later text, today."""
    comparison: Comparison
    before: tuple[tuple[Passage, ...], ...] = ()
    """For each change the passages that its rule was; none of an added one."""
    affects: tuple[Affected, ...] = field(default=())

    def cited_by(self, answers: Iterable[tuple[str, str, str]]) -> Amendment:
        """Return the same with stored answers: ID, question and `ID` of a passage that each cites.

        One that cites another wording than that before the change is left out.
        """
        was = {
            one.id: change.number
            for change, rule in zip(self.comparison.changes, self.before, strict=True)
            for one in rule
        }
        found = [
            Affected("stored-answer", key, question, was[passage])
            for key, question, passage in answers
            if passage in was
        ]
        return replace(self, affects=(*self.affects, *dict.fromkeys(found)))

    json_form = (
        "document_id=comparison.document_id document_title valid_from status "
        "from=comparison.from_version to=comparison.to_version changes=comparison.changes "
        "editorial=comparison.editorial problems=comparison.problems affects"
    )


def check_days(since: str, until: str) -> None:
    """Refuse what is no day, or an end before the beginning.

    Raises:
        InputError: it is so.
    """
    for name, day in (("since", since), ("until", until)):
        if not is_day(day) and (day or name == "since"):
            raise InputError(
                f"{name} must be a day such as 2026-12-31, not {day!r:.40}",
                code="version.interval",
            )
    if until and until < since:
        raise InputError(f"until {until} is before since {since}", code="version.interval")


def amendments(
    works: Works, documents: Sequence[DocumentSummary], since: str, until: str = ""
) -> list[Amendment]:
    """Return what changed in some works from a day to another, the latest first.

    The first text that an index holds of a work changes nothing that is known, and a version
    without a day has no place in time.

    Args:
        works: of the index.
        documents: of interest.
        since: first day.
        until: last day; empty: there is none, so that the future is in it.
    """
    asked = Interval(since, until)
    found = [
        one
        for document in documents
        if (history := works.history(document.document_id))
        for one in _of_work(works, document, history, asked)
    ]
    return sorted(found, key=lambda one: one.valid_from, reverse=True)


def _of_work(
    works: Works, document: DocumentSummary, history: History, asked: Interval
) -> Iterator[Amendment]:
    steps = [one for one in _steps(history) if one[0] in asked]
    states = works.states(document.document_id) if steps else []
    for day, first, second in steps:
        old = _law_on(history, first, states, day_before(day))
        new = _law_on(history, second, states, day)
        later = replace(history.versions[second], valid_from=day)
        last = (history.intervals[second] or Interval("", "")).last
        found = compare((history.versions[first], old), (later, new))
        if found.changes:
            was = defaultdict[str, list[Passage]](list)
            for rule in rules_of(old):
                was[rule.number] += rule.passages
            yield Amendment(
                document.title,
                day,
                status_on(str(Interval(day, last)), ""),
                found,
                tuple(
                    () if one.change == "added" else tuple(was[one.old_number or one.number])
                    for one in found.changes
                ),
            )


def _steps(history: History) -> Iterator[tuple[str, int, int]]:
    """Yield each day on which the law of a work may change, with its versions before and after."""
    held = [(at, days) for at, days in enumerate(history.intervals) if days is not None]
    for place, (at, days) in enumerate(held):
        if place and days.first:
            yield days.first, held[place - 1][0], at
        within = {
            day
            for state in history.outlines[at]
            for first, last in intervals_in(history.own.get(state, ""))
            for day in (first, last and day_after(last))
            if day and day > days.first and day in days
        }
        yield from ((day, at, at) for day in sorted(within))


def _law_on(history: History, place: int, states: Sequence[Passage], day: str) -> list[Passage]:
    """Return the passages of a version that are law on a day by what their source says."""
    own = history.own
    return [
        states[at]
        for at in history.outlines[place]
        if at not in own or status_on(own[at], day) in ("in-force", "unknown")
    ]
