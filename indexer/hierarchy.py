"""The tree of a document: who stands below whom, told by the numbers alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from indexer.kinds import kind_of
from indexer.numbered import heading
from search.numbering import segments
from search.records import Passage


def arrange(passages: Sequence[Passage], title: str = "") -> list[Passage]:
    """Return the passages of one document with their place in it.

    Fills `order`, `depth`, `parent`, `breadcrumb` and, where the reader left it open, `kind`. The
    parent is the nearest passage whose number is a proper prefix of the passage's own: levels
    that the document leaves out are skipped, and of repeated numbers the first is meant. A
    breadcrumb names each ancestor by its number and, where it has one, its heading.

    Takes time linear in the passages times the segments of a number.

    Args:
        passages: one document, in its order.
        title: the document's title, put on every passage; empty: `Document N`.
    """
    numbers = [segments(passage.passage_id) for passage in passages]
    parents = _parents(numbers)
    with_children = {parent for parent in parents if parent is not None}
    breadcrumbs = _breadcrumbs(passages, numbers, parents)
    arranged = []
    for index, (passage, parent) in enumerate(zip(passages, parents, strict=True)):
        kind = kind_of(numbers[index], passage.text, index in with_children)
        arranged.append(
            replace(
                passage,
                document_title=title or f"Document {passage.document_id}",
                kind=kind if passage.kind == "rule" else passage.kind,
                order=index,
                depth=len(numbers[index]),
                parent=None if parent is None else passages[parent].id,
                breadcrumb=breadcrumbs[index],
            )
        )
    return arranged


def _parents(numbers: Sequence[tuple[str, ...]]) -> list[int | None]:
    """Return for each number the index of its nearest existing proper prefix."""
    first: dict[tuple[str, ...], int] = {}
    for index, number in enumerate(numbers):
        if number:
            first.setdefault(number, index)
    return [
        next((first[number[:end]] for end in range(len(number) - 1, 0, -1)
              if number[:end] in first), None)
        for number in numbers
    ]  # fmt: skip


def _breadcrumbs(
    passages: Sequence[Passage],
    numbers: Sequence[tuple[str, ...]],
    parents: Sequence[int | None],
) -> list[tuple[str, ...]]:
    """Return the labels of each passage's ancestors, outermost first."""
    found: list[tuple[str, ...]] = [()] * len(passages)
    # A parent has fewer segments, so it is done before its children wherever it stands.
    for index in sorted(range(len(passages)), key=lambda index: len(numbers[index])):
        parent = parents[index]
        if parent is not None:
            found[index] = (*found[parent], _label(passages[parent]))
    return found


def _label(passage: Passage) -> str:
    return f"{passage.passage_id} {heading(passage.text)}".strip()
