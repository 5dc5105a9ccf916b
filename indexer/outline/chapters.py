"""Chapters whose number those below them begin with (`3.1` below `Chapter 3`), and those whose
numbers run on: `1.` and `2.` below `A.`, `3.` below `B.`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from indexer.outline.nodes import Node

FEWEST = 2
"""Chapters that it takes: in a rulebook whose rules run on, Part 1 begins with 1.1 as well."""
MOST = 0.75
"""Share of a document's chapters that it takes: an appendix may list sections of the others."""


def settle_chapters(root: Node) -> None:
    """Mark such chapters, if nearly all of a document are."""
    chapters = [node for node in _below(root) if _is_chapter(node) and _dotted(node)]
    leading = [chapter for chapter in chapters if _leads(chapter)]
    if len(leading) >= max(FEWEST, MOST * len(chapters)):
        for chapter in leading:
            chapter.leads = True


def settle_runs(root: Node) -> None:
    """Mark the numbers below lettered chapters as whole where they run on through all of those."""
    lettered = [one for one in root.children if one.label and one.label.capital]
    runs = [[child for child in one.children if _is_integer(child)] for one in lettered]
    numbers = [child.label for run in runs for child in run if child.label]
    if not all(runs) or len(runs) < FEWEST or not numbers[0].first:
        return
    if all(other.follows(one) for one, other in pairwise(numbers)):
        for child in (child for run in runs for child in run):
            child.unit = True


def _is_integer(node: Node) -> bool:
    return node.label is not None and node.label.shape == "integer"


def _below(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield child
        yield from _below(child)


def _is_chapter(node: Node) -> bool:
    return node.label is not None and node.label.shape == "division" and node.label.core.isdigit()


def _leads(chapter: Node) -> bool:
    own = chapter.label.core if chapter.label else ""
    return _dotted(chapter)[0].partition(".")[0] == own


def _dotted(node: Node) -> list[str]:
    labels = [child.label for child in node.children if child.label]
    return [label.text for label in labels if label.shape == "dotted"]
