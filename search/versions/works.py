"""The works of an opened index: their versions, the text of a day, and what changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from search.caches import LastUsed
from search.errors import InputError
from search.json_form import Record
from search.law_in_time import (
    ALL,
    NAMED,
    Interval,
    asked_day,
    interval_on,
    intervals_in,
    is_dated,
    status_of,
    status_on,
    stored_in,
)
from search.provisions.numbering import lookup_keys
from search.records import Filters, InTime, Later, NamesDay, Passage, Status
from search.text.days import bounds_in
from search.versions.alignment import Rule, aligned, passages_of
from search.versions.compare import Comparison, Level, compare_places, law_in
from search.versions.history import History, Version, joined, rule_id, starts_on

if TYPE_CHECKING:
    from search.engines.protocol import Engine

KEPT = 1000
"""Histories that are kept."""


@dataclass(frozen=True, slots=True)
class VersionState(Record):
    """A version with its status on the asked day."""

    version: Version
    status: Status
    """`unknown` where it has no day."""
    until: str = ""
    """Its last day; empty: none is known."""

    json_form = (
        "version_id=version.version_id valid_from=version.valid_from valid_to=version.valid_to "
        "date_source=version.date_source date_means=version.date_means "
        "observed_at=version.observed_at status passages=version.passages source=version.source "
        "reader=version.reader standing=version.standing problems=version.problems"
    )

    def __str__(self) -> str:
        one = self.version
        days = f"{one.valid_from or 'no day'}{f' – {self.until}' if self.until else ''}"
        more = f"; {one.standing}" if one.standing else ""
        return (
            f"{one.version_id}  {self.status}  {days} ({one.date_source}, {one.date_means})  "
            f"{one.passages:,} passages  {one.source}{more}"
        )


@dataclass(frozen=True, slots=True)
class RuleState(Record):
    """A wording of a rule, with the days on which it is in force."""

    id: str
    rule_id: str
    text: str
    in_force: tuple[tuple[str | None, str | None], ...]
    versions: tuple[str, ...]
    """`version_id`s of those that hold it."""

    def days(self) -> str:
        """Return the days on which it is in force, for people."""
        told = [f"{first or '…'} – {last or '…'}" for first, last in self.in_force]
        return ", ".join(told) or f"no day is known ({', '.join(self.versions)})"


class Works:
    """Reads the works of one opened index."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._kept: LastUsed[str, History] = LastUsed(KEPT)

    def history(self, document_id: str) -> History:
        """Return the versions of a document; none of one that has no dated text."""
        known = self._kept.known([document_id])
        if document_id not in known:
            known = {document_id: History.of_text(self._engine.history(document_id))}
            self._kept.keep(known)
        return known[document_id]

    def states(self, document_id: str) -> list[Passage]:
        """Return all that the index holds of a document, in its order."""
        return [one for _, one in self._engine.find(Filters({"document_id": (document_id,)}))]

    def of_day(self, passages: Sequence[Passage]) -> list[Passage]:
        """Return those of some passages that are in the version of the asked day, in its order.

        Documents without versions stay as they are.
        """
        day = asked_day()
        if day == ALL or not any(is_dated(one) for one in passages):
            return list(passages)
        of_documents = defaultdict[str, list[Passage]](list)
        for one in passages:
            of_documents[one.document_id].append(one)
        found: list[Passage] = []
        for document_id, own in of_documents.items():
            outline = self._outline(document_id, day)
            if outline is None:
                found += own
                continue
            held = {one.order: one for one in own}
            here = [held[place] for place in outline if place in held]
            found += self.history(document_id).placed(here)
        return found

    def _outline(self, document_id: str, day: str) -> Sequence[int] | None:
        """Return the states of the version of a day in its order; None: there are no versions."""
        history = self.history(document_id)
        if not history:
            return None
        version = history.at(day)
        return () if version is None else history.outlines[version]

    def in_time(self, passage: Passage) -> InTime:
        """Return when a passage is law, as it is on the asked day."""
        named = tuple(NamesDay(*one) for one in bounds_in(passage.text))
        if not is_dated(passage):
            return InTime(status=status_of(passage), names_days=named)
        day = asked_day()
        first, last = interval_on(stored_in(passage), day)
        history = self.history(passage.document_id)
        place = history.at(day)
        version = Version("") if place is None else history.versions[place]
        return InTime(
            version.version_id or None, first or None, last or None, status_of(passage),
            version.standing, named,
        )  # fmt: skip

    def later(self, passage: Passage) -> Iterator[Later]:
        """Yield what the versions after that of the asked day do to a rule, the next first."""
        history = self.history(passage.document_id)
        place = history.at(asked_day()) if history else None
        if place is None or passage.order not in history.outlines[place]:
            return
        at, before, states = passage.order, place, list[Passage]()
        for after in range(place + 1, len(history.versions)):
            version = history.versions[after]
            if starts_on(version) is None:
                return
            if at in history.outlines[after]:
                before = after
                continue
            states = states or self.states(passage.document_id)
            texts = (law_in(history, one, states) for one in (before, after))
            pairs = aligned(*(passages_of(text) for text in texts))
            new = next((one.new for one in pairs if one.old and one.old.order == at), None)
            change: Literal["changed", "repealed", "moved"] = "repealed"
            if new is not None:
                same = lookup_keys(new.number)[:1] == lookup_keys(states[at].passage_id)[:1]
                change = "changed" if same else "moved"
            number = new.number if new and change == "moved" else ""
            yield Later(version.version_id, version.valid_from, change, number)
            if new is None:
                return
            at, before = new.order, after

    def rule_ids(self, passage: Passage) -> list[str]:
        """Return the IDs that wordings of a passage's rule may have."""
        history = self.history(passage.document_id)
        rule = rule_id(passage.id, history)
        return [rule, *(f"{rule}@{one.version_id}" for one in history.versions)]

    def asked_version(self, document_id: str) -> Version | None:
        """Return the version of the asked day; None: the document has none, or every day is asked.

        Raises:
            InputError: the document has versions, and none on that day.
        """
        history, day = self.history(document_id), asked_day()
        if not history or day == ALL:
            return None
        return history.versions[history.called(day.removeprefix(NAMED))]

    def refuse_rule_of_others(self, document_id: str, number: str) -> None:
        """Refuse a number that the version of the asked day lacks and others have.

        Raises:
            InputError: that is so; the message names the days of its wordings.
        """
        history = self.history(document_id)
        states = self.states(document_id) if history else []
        days = sorted(
            str(one)
            for state in states
            if _is(state.passage_id, number)
            for one in intervals_in(stored_in(state))
        )
        if days:
            raise InputError(
                f"{number} of {document_id} is not in the text of {asked_day()}; days of its "
                f"wordings: {', '.join(days)}",
                code="version.rule-not-then",
            )

    def versions(self, document_id: str) -> list[VersionState]:
        """Return the versions of a document, oldest first.

        Raises:
            InputError: the index has no such document.
        """
        history, day = self._known(document_id), asked_day()
        held = zip(history.versions, history.intervals, strict=True)
        return [VersionState(one, _status(days, day), _until(days)) for one, days in held]

    def rule(self, document_id: str, number: str) -> list[RuleState]:
        """Return the wordings of a rule, oldest first.

        Raises:
            InputError: the index has no such document or rule.
        """
        history, states = self._known(document_id), self.states(document_id)
        wordings = defaultdict[tuple[str, ...], list[int]](list)
        for version in range(len(history.versions)):
            text = history.text_of(version, states)
            for root in text:
                if _is(root.passage_id, number):
                    wordings[tuple(one.id for one in _whole(root, text))].append(version)
        if not wordings:
            raise InputError(
                f"{document_id} has no rule {number!r} in any version", code="passage.unknown"
            )
        held = {one.id: one for one in states}
        return [
            _wording(history, [held[one] for one in whole], versions)
            for whole, versions in sorted(wordings.items(), key=lambda one: one[1][0])
        ]

    def compare(
        self,
        document_id: str,
        old: str = "",
        new: str = "",
        *,
        rule: str = "",
        level: Level = "unit",
        with_editorial: bool = False,
    ) -> Comparison:
        """Compare two versions of a document; `search.Index.compare` has the arguments."""
        history = self._known(document_id)
        if len(history.versions) < 2:
            raise InputError(
                f"there is only one version of {document_id}; load another one with rirag ingest",
                code="version.ambiguous",
            )
        second = history.called(new) if new else len(history.versions) - 1
        first = history.called(old) if old else max(second - 1, 0)
        if first == second and not (old and new):
            first, second = second, second + 1
        found = compare_places(
            self.states(document_id), history, first, second,
            level=level, with_editorial=with_editorial,
        )  # fmt: skip
        found = replace(found, document_id=document_id)
        return _of_rule(found, rule) if rule else found

    def _known(self, document_id: str) -> History:
        if history := self.history(document_id):
            return history
        states = self.states(document_id)
        if not states:
            raise InputError(f"the index has no document {document_id!r}", code="document.unknown")
        version = Version("undated", passages=len(states), title=states[0].document_title)
        return History((version,), (tuple(range(len(states))),))


def _whole(root: Passage, text: Sequence[Passage]) -> list[Passage]:
    """Return a rule of a version with all that is below it, but for its footnotes."""
    found = {root.id: root}
    for one in text:
        if one.parent in found and one.kind != "footnote":
            found[one.id] = one
    return [*found.values()]


def _wording(history: History, passages: Sequence[Passage], versions: Sequence[int]) -> RuleState:
    """Return the wording of a rule that some versions have."""
    first, names = passages[0], [history.versions[at].version_id for at in versions]
    rule = rule_id(first.id, history)
    days = intervals_in(stored_in(first))
    if len(passages) > 1:
        days = joined(one for at in versions if (one := history.intervals[at]))
    return RuleState(
        first.id if len(passages) == 1 else rule if not versions[0] else f"{rule}@{names[0]}",
        rule,
        Rule(tuple(passages)).text,
        tuple(map(_nullable, days)),
        tuple(names),
    )


def _nullable(days: Interval) -> tuple[str | None, str | None]:
    return days.first or None, days.last or None


def _status(days: Interval | None, day: str) -> Status:
    return "unknown" if days is None else status_on(str(days), day)


def _until(days: Interval | None) -> str:
    """Return the last day of a version; "": it has none, or another one began on its first day."""
    return days.last if days and days.first <= days.last else ""


def _of_rule(found: Comparison, number: str) -> Comparison:
    kept = (
        one
        for one in found.changes
        if _is(one.number, number) or (one.old_number and _is(one.old_number, number))
    )
    return replace(found, changes=tuple(kept))


def _is(written: str, number: str) -> bool:
    """Return whether a rule has a number, which may leave out the word for its kind."""
    return next(iter(lookup_keys(number)), number) in (lookup_keys(written) or (written,))
