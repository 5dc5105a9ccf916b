"""Put a version of a work beside those that an index holds: text states and their days."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from indexer.load.in_force import with_status
from indexer.load.report import VersionReport
from search.caches import CAPACITY
from search.law_in_time import NAMED, STATUS_IN_TIME, Interval, intervals_in, stored_in, today
from search.records import MetadataValue, Passage
from search.text.wording import bare_words, wording
from search.versions.alignment import rules_of
from search.versions.compare import compare_places, law_in
from search.versions.history import (
    History,
    Version,
    joined,
    rule_id,
    starts_on,
)

_wording = lru_cache(CAPACITY)(wording)
"""A history compares each wording with those before it again and again."""

UNDATED = "undated"
"""Name of a version that has neither a day nor a name."""


@dataclass(frozen=True, slots=True)
class Work:
    """All that an index holds of a work."""

    states: tuple[Passage, ...] = ()
    """In the order of the index, each with the days on which it is the text."""
    history: History = field(default_factory=History)


@dataclass(eq=False, slots=True)
class _State:
    """A wording of a rule while a version is added."""

    passage: Passage
    rule: str
    own: str
    """What its source says of its time, as `status_in_time` writes it; "": nothing."""

    def says(self, other: Passage, own: str) -> bool:
        """Return whether another passage has the same words at the same place and time."""
        mine = self.passage
        return _against(self.own) == _against(own) and (
            (mine.text, mine.breadcrumb) == (other.text, other.breadcrumb)
            or (
                _wording(mine.text) == _wording(other.text)
                and [*map(bare_words, mine.breadcrumb)] == [*map(bare_words, other.breadcrumb)]
            )
        )


_Versions = list[tuple[Version, list[_State]]]
"""Each version with its states in its order."""


def with_version(work: Work, passages: Sequence[Passage], version: Version) -> Work:
    """Return a work with a version more; one of the same name gives way.

    What has the same words at the same place as before stays the passage that it is, so that
    nothing of it is encoded again.

    Args:
        work: as it is held; a document without versions counts as one that has no day.
        passages: of the version, in its order; their IDs are those of their rules.
        version: what is known of it.
    """
    held = _read(work)
    version, passages = _with_end(version, with_status(passages, starts_on(version) or ""))
    by_rule: defaultdict[str, list[_State]] = defaultdict(list)
    for state in {id(one): one for _, states in held for one in states}.values():
        by_rule[state.rule].append(state)
    latest = all((starts_on(one) or "") <= (starts_on(version) or "") for one, _ in held)
    new: list[_State] = []
    for passage in passages:
        own = stored_in(passage) if STATUS_IN_TIME in passage.metadata else ""
        known = by_rule[passage.id]
        same = next((one for one in reversed(known) if one.says(passage, own)), None)
        state = same or _new_state(passage, own, known, version)
        if same is None:
            known.append(state)
        elif latest:
            state.passage = replace(
                state.passage,
                depth=passage.depth,
                metadata=passage.metadata,
                source=passage.source,
            )
        new.append(state)
    if any(_is_held(one, version, new) for one in held):
        return work
    _place(passages, new)
    others = [one for one in held if one[0].version_id != version.version_id]
    titled = replace(version, passages=len(new), title=passages[0].document_title)
    return _written([*others, (titled, new)])


def _with_end(version: Version, passages: Sequence[Passage]) -> tuple[Version, Sequence[Passage]]:
    """Return a version and its passages; the end that all of them share is that of the version."""
    stored = {stored_in(one) for one in passages}
    ends = intervals_in(*stored) if len(stored) == 1 and starts_on(version) else []
    if [one.first for one in ends] != [""]:
        return version, passages
    bare = [replace(one, metadata=_with_time(one, "")) for one in passages]
    return replace(version, valid_to=version.valid_to or ends[0].last), bare


def with_observed(work: Work, passages: Sequence[Passage]) -> Work | None:
    """Return a work with another text from today on; None: it never had another one.

    What was there before ends yesterday; the first text of all has no first day.
    """
    history = work.history or _undated(work.states)
    day = today()
    version = Version(
        day, date_source="observed", date_means="observed", observed_at=day,
        source=passages[0].source.rpartition(":")[0],
    )  # fmt: skip
    others = [one for one in _read(Work(work.states, history)) if one[0].version_id != day]
    before = _written(others) if others else Work()
    after = with_version(before, passages, version)
    place = after.history.called(day)
    if place and after.history.outlines[place] == after.history.outlines[place - 1]:
        after = before
    return after if len(after.history.versions) > 1 else None


def _undated(states: Sequence[Passage]) -> History:
    """Return the history of a text that was there when it was first seen."""
    version = Version(
        UNDATED, date_source="observed", date_means="observed", title=states[0].document_title,
        passages=len(states), source=states[0].source.rpartition(":")[0],
    )  # fmt: skip
    own = {
        place: stored_in(one) for place, one in enumerate(states) if STATUS_IN_TIME in one.metadata
    }
    return History((version,), (tuple(range(len(states))),), own)


def _against(own: str) -> str:
    """Return what a source says against a text being law now."""
    return "" if own == "in-force" else own


def _new_state(passage: Passage, own: str, known: Sequence[_State], version: Version) -> _State:
    name = f"{passage.id}@{version.version_id}" if known else passage.id
    return _State(replace(passage, id=name), passage.id, own)


def _is_held(held: tuple[Version, list[_State]], version: Version, states: list[_State]) -> bool:
    """Return whether a version is there already, with the same words and days."""
    known, outline = held
    same = ("version_id", "valid_from", "valid_to", "date_means")
    return outline == states and all(getattr(known, one) == getattr(version, one) for one in same)


def of_commit(before: Work, after: Work, version: Version) -> Work:
    """Return a work with the version of a commit, or without it where the commit changed no law.

    The version that counts notes the texts that it stands for among its sources.

    Args:
        before: the work without it.
        after: the work with it.
        version: of the commit.
    """
    history, name = after.history, version.version_id
    at = history.called(name)
    others = [one for one in range(len(history.versions)) if one != at]
    before_it = [at - 1] if version.valid_from and at else others
    same = [one for one in before_it if history.outlines[one] == history.outlines[at]]
    if same and name not in {one.version_id for one in before.history.versions}:
        after, name = before, history.versions[same[0]].version_id
    known = [one.source for one in before.history.versions if one.version_id == name]
    path, _, key = version.source.rpartition("@")
    keys = [one for source in known for one in source.rpartition("@")[2].split(",")]
    source = f"{path}@{','.join(dict.fromkeys((*keys, key)))}"
    versions = tuple(
        replace(one, source=source) if one.version_id == name else one
        for one in after.history.versions
    )
    return replace(after, history=replace(after.history, versions=versions))


def undated_note(document_id: str, history: History) -> str:
    """Return what to do with several versions of a work that have no day, or ""."""
    names = [one.version_id for one in history.versions if starts_on(one) is None]
    if len(names) < 2:
        return ""
    return (
        f"{document_id}: {len(names)} versions have no day and are only found by name "
        f"({', '.join(names[:3])}{', …' if names[3:] else ''}): load each with --valid-from, or a "
        "history with --commit-dates in-force if its commits were made on these days"
    )


def version_report(
    before: Work, after: Work, name: str, hash_of: Callable[[Passage], str]
) -> VersionReport:
    """Return what a version brought that was just added to a work.

    Args:
        before: the work without it.
        after: the work with it.
        name: of the version.
        hash_of: returns the hash of the text that is encoded of a passage; "": none is.
    """
    history = after.history
    place = history.called(name)
    text = history.text_of(place, after.states)
    hashes = {*map(hash_of, text)} - {""}
    new = len(hashes - {*map(hash_of, before.states)})
    reused = len(hashes) - new
    if not place:
        added = len(rules_of(law_in(history, place, after.states)))
        return VersionReport(text[0].document_id, name, added, 0, 0, 0, new, reused)
    found = compare_places(after.states, history, place - 1, place)
    kinds = found.counts()
    return VersionReport(
        text[0].document_id, name, kinds["added"], kinds["changed"], kinds["repealed"],
        kinds["moved"], new, reused, found.problems,
    )  # fmt: skip


def _place(passages: Sequence[Passage], states: Sequence[_State]) -> None:
    """Give the states of a version the states of this version that are above them."""
    here = {state.rule: state.passage.id for state in states}
    for passage, state in zip(passages, states, strict=True):
        state.passage = replace(state.passage, parent=here.get(passage.parent or ""))


def _read(work: Work) -> _Versions:
    history = work.history
    if work.states and not history:
        whole = tuple(range(len(work.states)))
        history = History((Version(UNDATED, title=work.states[0].document_title),), (whole,))
    states = [
        _State(one, rule_id(one.id, history), history.own.get(place, ""))
        for place, one in enumerate(work.states)
    ]
    held = zip(history.versions, history.outlines, strict=True)
    return [(version, [states[at] for at in outline]) for version, outline in held]


def _written(held: _Versions) -> Work:
    """Return the work of some versions."""
    held = sorted(held, key=lambda one: (starts_on(one[0]) is None, starts_on(one[0]) or ""))
    states = _in_one_order([states for _, states in held])
    places = {id(state): place for place, state in enumerate(states)}
    history = History(
        tuple(version for version, _ in held),
        tuple(tuple(places[id(one)] for one in outline) for _, outline in held),
        {place: one.own for place, one in enumerate(states) if one.own},
    )
    title = _title([version.title for version, _ in held])
    times = _times(history, len(states))
    passages = (
        replace(
            state.passage,
            order=place,
            document_title=title,
            metadata=_with_time(state.passage, times[place]),
        )
        for place, state in enumerate(states)
    )
    return Work(tuple(passages), history)


def _in_one_order(outlines: Sequence[list[_State]]) -> list[_State]:
    """Return all states in the order of the newest version; others after what they followed."""
    followers: defaultdict[int, list[_State]] = defaultdict(list)
    seen = set[int]()
    for outline in outlines[::-1]:
        before = 0
        for state in outline:
            if id(state) not in seen:
                seen.add(id(state))
                followers[before].append(state)
            before = id(state)
    found: list[_State] = []
    waiting = followers[0]
    while waiting:  # the oldest that follow a state come first
        found.append(state := waiting.pop())
        waiting += followers[id(state)]
    return found


def _times(history: History, count: int) -> list[str]:
    """Return the value of `status_in_time` of each state; "": nothing is known."""
    days: list[list[Interval]] = [[] for _ in range(count)]
    names: list[list[str]] = [[] for _ in range(count)]
    held = zip(history.versions, history.intervals, history.outlines, strict=True)
    for version, interval, outline in held:
        is_sole = len(history.versions) == 1
        is_named = version.version_id not in (version.valid_from, UNDATED if is_sole else "")
        for place in outline:
            if interval is not None:
                days[place].append(interval)
            elif is_sole and is_named:
                names[place].append("unknown")
            if is_named:
                names[place].append(f"{NAMED}{version.version_id}")
    return [
        _time(history.own.get(place, ""), held, names[place]) for place, held in enumerate(days)
    ]


def _time(own: str, days: Sequence[Interval], names: Sequence[str]) -> str:
    within = intervals_in(own)
    if own in ("past", "future") or not (days or names):
        return own
    if within:
        days = [both for one in days for other in within if (both := one.within(other))]
    return " ".join([*map(str, joined(days)), *names]) or "past"


def _with_time(passage: Passage, time: str) -> dict[str, MetadataValue]:
    kept = {name: value for name, value in passage.metadata.items() if name != STATUS_IN_TIME}
    return {**kept, STATUS_IN_TIME: time} if time else kept


def _title(titles: Sequence[str]) -> str:
    """Return the title of a work: the newest, or the one before that differs in figures alone."""
    title = titles[-1]
    for newer, older in pairwise(titles[::-1]):
        if _without_figures(newer) != _without_figures(older):
            break
        title = older
    return title


def _without_figures(title: str) -> list[str]:
    return [word for word in bare_words(title).split() if word.isalpha()]
