"""Lines inside a passage that begin with the number that should come next: it was not believed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from indexer.numbering.fences import fenced_lines
from indexer.numbering.line_labels import is_cited, parse_line
from search.provisions.numbering import container_kind, segments
from search.records import Passage

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
            found = None if apart else parse_line(line)
            if found and _is_item(found.number, passage.passage_id):
                continue
            if found and own and _comes_next(segments(found.number), own, known):
                yield index, found.number
                break
        else:
            if _is_container(own) and _begins_anew(lines, fenced):
                yield index, _FIRST


def _is_item(inner: str, passage_id: str) -> bool:
    """Return whether `4.` is the item of a list, since the paragraphs around are `§ 1(3)`."""
    return passage_id.endswith(")") and "(" not in inner and len(segments(inner)) == 1


def _is_container(own: tuple[str, ...]) -> bool:
    """Return whether a number is that of a part, a chapter or a schedule."""
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
