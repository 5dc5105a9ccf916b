"""How well a reader's passages agree with those that people made of the same document."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indexer.review.check import Overlap, plain_number, token_f1

Pair = tuple[str, str]
"""Number and text of a passage."""

_ITEM = re.compile(r"\.?(?:\([0-9A-Za-z]+\)|\d+|[A-Za-z]\)?)$")
_WORDED = re.compile(r"(?:^|\.)[A-Z][a-z]\w*[a-z ]{4,}")

_EITHER = "open: people part such lists in one document and not in the next"
RIGHT = {
    "guidance below an item": "ours: a guidance box belongs to the rule, not to its last paragraph",
    "rule without text of its own": "ours: the rule exists; most hand-made files have it as well",
    "list kept with its clause": _EITHER,
    "list parted from its clause": _EITHER,
    "only paragraph of a box numbered 1": "ours: the source has no such number",
    "heading as a number": "open: the heading has no number in the source",
    "repeated number": "ours: both are in the source",
    "other": "mostly slips of the hand-made file; see the numbers",
}
"""Each kind of disagreement, and which side is right."""


@dataclass(frozen=True, slots=True)
class Agreement(Overlap):
    """One document's passages held against the hand-made ones."""

    text: float
    """Mean token F1 of the matched passages, 0 to 1."""
    missing: tuple[str, ...]
    """Numbers that only the hand-made file has."""
    extra: tuple[str, ...]
    """Numbers that only the reader has."""
    kinds: dict[str, int]
    """Kind of disagreement → numbers that only one side has."""


def compare(gold: Sequence[Pair], read: Sequence[Pair]) -> Agreement:
    """Hold passages against hand-made ones by number, as multisets, in order."""
    theirs, ours = _by_number(gold), _by_number(read)
    scores = [
        token_f1(one, other)
        for number, texts in theirs.items()
        for one, other in zip(texts, ours.get(number, ()), strict=False)
    ]
    missing = _beyond(theirs, ours)
    extra = _beyond(ours, theirs)
    return Agreement(
        gold=len(gold),
        read=len(read),
        matched=len(scores),
        text=sum(scores) / len(scores) if scores else 0.0,
        missing=missing,
        extra=extra,
        kinds=dict(Counter(_kinds(missing, extra, theirs, ours))),
    )


def _by_number(pairs: Iterable[Pair]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for number, text in pairs:
        found[plain_number(number)].append(text)
    return found


def _beyond(one: dict[str, list[str]], other: dict[str, list[str]]) -> tuple[str, ...]:
    return tuple(
        number
        for number, texts in one.items()
        for _ in range(len(texts) - len(other.get(number, ())))
    )


def _kinds(
    missing: Sequence[str],
    extra: Sequence[str],
    theirs: dict[str, list[str]],
    ours: dict[str, list[str]],
) -> Iterable[str]:
    for number in missing:
        yield _kind(number, theirs, ours, gone=True)
    for number in extra:
        yield _kind(number, ours, theirs, gone=False)


def _kind(number: str, here: dict[str, list[str]], there: dict[str, list[str]], gone: bool) -> str:
    """Name the disagreement behind a number that only one side has."""
    rule, guidance, _ = number.partition(".Guidance")
    above = _ITEM.sub("", number)
    if number in there:
        return "repeated number"
    if guidance and gone and _ITEM.sub("", rule) + number[len(rule) :] in there:
        return "guidance below an item"
    if guidance and not gone and any(_is_moved(other, rule, number) for other in there):
        return "guidance below an item"
    if gone and number.endswith("Guidance.1") and above in there:
        return "only paragraph of a box numbered 1"
    if not gone and not "".join(here[number]).strip():
        return "rule without text of its own"
    if above != number and above in there:
        return "list kept with its clause" if gone else "list parted from its clause"
    return "heading as a number" if _WORDED.search(rule) else "other"


def _is_moved(other: str, rule: str, number: str) -> bool:
    """Return whether another number is this guidance below an item of the same rule."""
    tail = number[len(rule) :]
    return other.endswith(tail) and _ITEM.sub("", other[: len(other) - len(tail)]) == rule
