"""Lines inside a passage that begin with the number that should come next: it was not believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from indexer.fences import fenced_lines
from indexer.numbered import CITED, parse_line
from search.numbering import segments
from search.records import Passage


def inner_numbers(
    passages: Sequence[Passage], numbers: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, str]]:
    """Yield the place of each passage that may hold the next one, and the number inside it.

    Takes time linear in the text.

    Args:
        passages: of one document.
        numbers: the segments of their numbers.
    """
    known = set(numbers)
    for index, (passage, own) in enumerate(zip(passages, numbers, strict=True)):
        lines = passage.text.split("\n")
        fenced = fenced_lines(lines)
        for place, (before, line) in enumerate(pairwise(lines), start=1):
            apart = place in fenced or CITED.search(before.rstrip())
            found = None if apart else parse_line(line)
            if found and own and _comes_next(segments(found.number), own, known):
                yield index, found.number
                break


def _comes_next(inner: tuple[str, ...], own: tuple[str, ...], known: set[tuple[str, ...]]) -> bool:
    """Tell whether an inner number is the next one, or the first below, and no passage has it.

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
