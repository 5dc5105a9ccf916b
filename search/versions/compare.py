"""What changed between two versions of a work, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from search.json_form import Record
from search.law_in_time import intervals_in
from search.records import Passage
from search.versions.alignment import Pair, aligned, parts_of, passages_of, rules_of
from search.versions.difference import Difference, difference
from search.versions.history import History, Version, starts_on

ChangeKind = Literal["added", "changed", "repealed", "moved", "editorial"]
"""`editorial`: only punctuation, quotation marks or case differ, which changes no law."""

Level = Literal["unit", "passage"]
"""Rules as a whole, or each of their passages."""

_TOLD: tuple[ChangeKind, ...] = ("added", "changed", "repealed", "moved")

LOST = 0.2
"""Share of the words and rules of its neighbour by which a version may be shorter before its
reading is doubted."""


@dataclass(frozen=True, slots=True)
class PartChange(Record):
    """What became of a rule, or of a part of one."""

    change: ChangeKind
    number: str
    """In the later version; of a repealed rule, in the earlier one."""
    old_number: str | None = None
    """Where it was, if it is somewhere else now."""
    heading: str = ""
    valid_from: str | None = None
    before: str | None = None
    after: str | None = None
    diff: Difference = ()
    words_changed: bool = False
    maybe_moved: str | None = None
    """Number of a repealed rule that an added one may be; this cannot be decided."""

    def headline(self) -> str:
        """Return what became of it in a line: `§ 3 Fees: moved from § 2, words changed`."""
        named = " ".join(filter(None, (self.number, self.heading)))
        told: str = self.change
        if self.old_number:
            told = (
                f"moved from {self.old_number}, words {'' if self.words_changed else 'un'}changed"
            )
        if self.maybe_moved:
            told += f" (it may be the former {self.maybe_moved})"
        return f"{named}: {told}"


@dataclass(frozen=True, slots=True)
class Change(PartChange):
    """What became of a rule, with what became of its parts."""

    parts: tuple[PartChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison(Record):
    """What changed between two versions."""

    document_id: str
    from_version: str
    to_version: str
    changes: tuple[Change, ...] = ()
    """In the order of the later version; repealed rules where they were."""
    editorial: int = 0
    """Rules of which only the form changed."""
    problems: tuple[str, ...] = ()

    json_form = "document_id from=from_version to=to_version changes editorial problems"

    def summary(self) -> str:
        """Return how much changed, in a sentence."""
        counts = self.counts()
        told = ", ".join(f"{counts[kind]:,} {kind}" for kind in _TOLD if counts[kind])
        form = f" (of {self.editorial:,} only the form)" if self.editorial else ""
        return f"Rules: {told or 'none changed'}{form}."

    def counts(self) -> Counter[str]:
        """Return how many rules were added, changed, repealed and moved."""
        return Counter(one.change for one in self.changes)


def compare(
    old: tuple[Version, Sequence[Passage]],
    new: tuple[Version, Sequence[Passage]],
    *,
    level: Level = "unit",
    with_editorial: bool = False,
) -> Comparison:
    """Compare two versions of a work.

    Args:
        old: the earlier version with its passages that are law then, in its order.
        new: the later one.
        level: what is compared.
        with_editorial: whether changes of form alone are listed, too.
    """
    parted = passages_of if level == "passage" else rules_of
    start = new[0].valid_from
    found = list(changes_of(aligned(parted(old[1]), parted(new[1])), start))
    editorial = sum(one.change == "editorial" for one in found)
    return Comparison(
        (new[1] or old[1])[0].document_id if new[1] or old[1] else "",
        old[0].version_id,
        new[0].version_id,
        tuple(one for one in found if with_editorial or one.change != "editorial"),
        editorial,
        (*new[0].problems, *losses(old[1], new[1])),
    )


def law_in(history: History, place: int, states: Sequence[Passage]) -> list[Passage]:
    """Return the passages of a version that are law while it is the text."""
    gone = {at for at, time in history.own.items() if time in ("past", "future")}
    start = starts_on(history.versions[place]) or ""
    later = {
        at
        for at, time in history.own.items()
        if (days := intervals_in(time)) and start and all(first > start for first, _ in days)
    }
    outline = history.outlines[place]
    return history.placed([states[at] for at in outline if at not in gone | later])


def compare_places(
    states: Sequence[Passage], history: History, old: int, new: int, **how: Any
) -> Comparison:
    """Compare two versions of a document by their places in its history (see `compare`)."""
    first, second = ((history.versions[at], law_in(history, at, states)) for at in (old, new))
    return compare(first, second, **how)


def changes_of(pairs: Sequence[Pair], start: str | None) -> Iterator[Change]:
    """Yield what changed of the rules of two versions; `start` is the later one's first day."""
    for pair in pairs:
        if change := _change(pair, start):
            own = {one.name: getattr(change, one.name) for one in fields(change)}
            yield Change(**own, parts=tuple(_parts(pair, start)))


def _change(pair: Pair, start: str | None) -> PartChange | None:
    old, new = pair.old, pair.new
    rule = new or old
    if rule is None:
        return None
    if new is None or old is None:
        return PartChange(
            "repealed" if new is None else "added",
            rule.number,
            heading=rule.heading,
            valid_from=start,
            before=old.text if old else None,
            after=new.text if new else None,
            words_changed=True,
            maybe_moved=pair.maybe or None,
        )
    moved, changed = old.key != new.key, old.wording != new.wording
    if not (moved or changed or old.text.split() != new.text.split()):
        return None
    return PartChange(
        "moved" if moved else "changed" if changed else "editorial",
        new.number,
        old.number if moved else None,
        new.heading or old.heading,
        start,
        old.text,
        new.text,
        difference(old.text, new.text),
        changed,
    )


def _parts(pair: Pair, start: str | None) -> Iterator[PartChange]:
    """Yield what changed below a rule, where it has several passages."""
    old, new = pair.old, pair.new
    if not (old and new) or len(old.passages) == len(new.passages) == 1:
        return
    for part in aligned(parts_of(old), parts_of(new)):
        change = _change(part, start)
        if change and change.change != "editorial":
            yield change


def losses(old: Sequence[Passage], new: Sequence[Passage]) -> tuple[str, ...]:
    """Return a sentence where a version may have lost text to its reader, and not to the law."""
    words = [sum(len(one.text.split()) for one in passages) for passages in (old, new)]
    counts = [len(old), len(new)]
    if not old or (words[1] >= (1 - LOST) * words[0] and counts[1] >= (1 - LOST) * counts[0]):
        return ()
    return (
        f"the text went from {words[0]:,} words in {counts[0]:,} passages to {words[1]:,} in "
        f"{counts[1]:,}: check with rirag structure whether the file was read whole before you "
        "take its repeals for law",
    )
