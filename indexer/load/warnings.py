"""What may be wrong with a document as it was read, by its numbers, lengths and lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from indexer.hierarchy.kinds import DEFINITION_SEGMENTS
from indexer.hierarchy.tree import chapter_number
from indexer.load.splitting import LONG_WORDS, is_continuation
from indexer.structuring.labels.labels import is_cited, line_label
from indexer.structuring.labels.number_order import order_faults
from indexer.structuring.lines.fences import fenced_lines
from search.provisions.numbering import container_kind, segments
from search.records import Passage

Key = tuple[str, ...] | str
"""What two passages with the same number have in common."""

WarningKind = Literal["gap", "jump", "duplicate", "orphan", "inside", "long"]

_JOINTS = re.compile(r"[^.(]+")
"""All but what joins the segments of a number."""
_SILENT = DEFINITION_SEGMENTS | {"guidance"}
"""Segments that need no passage of their own: `1.2.1.Guidance.3` is below 1.2.1, and
`2.Glossary.Fund` below 2."""


@dataclass(frozen=True, slots=True)
class StructureWarning:
    """A place of a document that a person should look at before it is loaded."""

    kind: WarningKind
    """`gap`: numbers are missing; `jump`: the order goes back; `duplicate`: a number occurs more
    than once; `orphan`: no passage has the number above; `inside`: a line of a passage begins with
    the number that should come next; `long`: a very long passage."""
    id: str
    """Of the passage where it was noticed."""
    document_id: str
    passage_id: str
    source: str
    """File and line."""
    message: str
    """One clause for people, such as `2.5 follows 2.2: 2 numbers between are missing`."""


def structure_warnings(passages: Sequence[Passage]) -> list[StructureWarning]:
    """Return what may be wrong with the passages of one document, in its order.

    Footnotes, which are counted through a document wherever they are, are passed over. Takes time
    linear in the passages times the segments of a number.
    """
    passages = [one for one in passages if one.kind != "footnote" and not is_continuation(one)]
    numbers = [segments(passage.passage_id) for passage in passages]
    keys = [number or passage.passage_id for number, passage in zip(numbers, passages, strict=True)]
    first = {key: index for index, key in reversed(list(enumerate(keys)))}
    found: list[tuple[int, WarningKind, str]] = [
        (fault.index, fault.kind, fault.message)
        for fault in order_faults([passage.passage_id for passage in passages], numbers)
        if first[keys[fault.index]] == fault.index  # a repeated number is reported as such
    ]
    found += _duplicates(passages, numbers)
    found += _orphans(passages, numbers)
    found += [
        (index, "inside", f"a line inside {passages[index].passage_id} begins with {number}")
        for index, number in inner_numbers(passages, numbers)
    ]
    found += _long(passages)
    return [
        StructureWarning(kind, one.id, one.document_id, one.passage_id, one.source, message)
        for index, kind, message in sorted(found)
        for one in [passages[index]]
    ]


def _duplicates(
    passages: Sequence[Passage], numbers: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, WarningKind, str]]:
    """Yield each number that several passages have, at the second of them.

    Section 10.1 is not paragraph 10(1), although both have the same segments.
    """
    keys = [
        (number or one.passage_id, _JOINTS.sub("", one.passage_id.replace(".(", "(").rstrip(".")))
        for number, one in zip(numbers, passages, strict=True)
    ]
    counts = Counter(keys)
    places: dict[tuple[Key, str], str] = {}
    for index, (key, passage) in enumerate(zip(keys, passages, strict=True)):
        if key not in places:
            places[key] = passage.source
        elif counts[key] > 1:
            times, place = _times(counts.pop(key)), places[key]
            yield index, "duplicate", f"{passage.passage_id} occurs {times}, first at {place}"


def _orphans(
    passages: Sequence[Passage], numbers: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, WarningKind, str]]:
    """Yield each number that is missing above others, at the first of those.

    A level that the document has nowhere, such as its chapters, is not missed; and `Chapter 3` is
    what is above 3.1.
    """
    known = set(numbers) | {(chapter,) for n in numbers if (chapter := chapter_number(n))}
    levels = set(map(len, numbers))
    children = Counter(number[:-1] for number in numbers)
    told: set[tuple[str, ...]] = set()
    for index, number in enumerate(numbers):
        if number and " " in number[0] and container_kind(number[0]) is None:
            continue  # what comes before the first number has a line of prose for one
        above, signed = number[:-1], passages[index].passage_id.startswith("§")
        while above and above not in known and _needs_no_passage(above, signed):
            above = above[:-1]
        if above and above not in known and above not in told and len(above) in levels:
            told.add(above)
            more = children[number[:-1]] - 1
            others = f" and {more:,} more" if more else ""
            yield (
                index, "orphan",
                f"{passages[index].passage_id} has no parent passage{others}",
            )  # fmt: skip


def _needs_no_passage(number: tuple[str, ...], signed: bool) -> bool:
    """Return whether nobody misses a passage with a number."""
    last = number[-1]
    if any(segment == f"part {last}" for segment in number[:-1]) or (signed and len(number) == 1):
        return True
    # The A2 of APP2.A2.1 says the appendix again, and so does the second 3 of Annex VII.3.3.1.
    return last in _SILENT or (last[0] == "a" and last[1:].isdigit()) or last in number[-2:-1]


def _long(passages: Sequence[Passage]) -> Iterator[tuple[int, WarningKind, str]]:
    for index, passage in enumerate(passages):
        words = len(passage.text.split())
        if part := passage.part:
            parts = part.rpartition(" ")[2]
            yield (
                index,
                "long",
                f"{passage.passage_id} is very long: it was split into {parts} parts",
            )
        elif words > LONG_WORDS:
            yield index, "long", f"{passage.passage_id} has {words:,} words"


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count:,} times"


_FIRST = "1"
_BARE = re.compile(r"(\d{1,3})([.)]?)\s+(?=[^\W\d_a-z])")
"""A number before a capital letter."""


def inner_numbers(
    passages: Sequence[Passage], numbers: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, str]]:
    """Yield the place of each passage that may hold the next one, and the number inside it.

    Takes time linear in the text.
    """
    known = set(numbers)
    for index, (passage, own) in enumerate(zip(passages, numbers, strict=True)):
        lines = passage.text.split("\n")
        fenced = fenced_lines(lines)
        for place, (before, line) in enumerate(pairwise(lines), start=1):
            apart = place in fenced or is_cited(before)
            found = None if apart else line_label(line)
            if found and _is_item(found[0], passage.passage_id):
                continue
            if found and own and _comes_next(segments(found[0]), own, known):
                yield index, found[0]
                break
        else:
            if _is_container(own) and _begins_anew(lines, fenced):
                yield index, _FIRST


def _is_item(inner: str, passage_id: str) -> bool:
    """Return whether `4.` is the item of a list, since the paragraphs around are `§ 1(3)`."""
    return passage_id.endswith(")") and "(" not in inner and len(segments(inner)) == 1


def _is_container(own: tuple[str, ...]) -> bool:
    return bool(own) and container_kind(own[-1]) in {"attachment", "division"}


def _begins_anew(lines: Sequence[str], fenced: Collection[int]) -> bool:
    """Return whether numbers from 1 on are below a title; without a mark, `1` and `2` do."""
    read = (_BARE.match(line.strip()) for at, line in enumerate(lines) if at not in fenced)
    found = [one for one in read if one][:2]
    if not found or found[0][1] != _FIRST:
        return False
    return bool(found[0][2]) or found[-1][1] == "2"


def _comes_next(inner: tuple[str, ...], own: tuple[str, ...], known: set[tuple[str, ...]]) -> bool:
    """Return whether an inner number is the next one, or the first below, and no passage has it.

    Args:
        inner: the number inside, in full (`2.3`) or from its place on (`3.`).
        own: of the passage.
        known: all numbers of the document.
    """
    if inner == (*own, "1"):
        return inner not in known
    for size in range(len(own), 0, -1):
        if own[size - 1].isdecimal():
            following = (*own[: size - 1], str(int(own[size - 1]) + 1))
            if inner in (following, following[-1:]):
                return following not in known
    return False
