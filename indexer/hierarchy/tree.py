"""The tree of a document: what is below what, by the numbers or by the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from indexer.hierarchy.kinds import kind_of, lettered_guidance
from indexer.structuring.labels.line_labels import heading
from search.provisions.documents.titles import untitled
from search.provisions.numbering import container_kind, segments
from search.records import Passage


def arrange(passages: Sequence[Passage], title: str = "") -> list[Passage]:
    """Return the passages of one document with their place in it.

    Fills `order`, `depth`, `parent`, `breadcrumb` and, where the reader left it open, `kind`. A
    parent that the reader gave counts if it comes before the passage: the number of an article
    does not say which chapter it is in. Else the parent is the nearest passage whose number is a
    proper prefix of the passage's own, or the chapter that it begins with: levels that the document
    leaves out are skipped, and of repeated numbers the first is meant. A breadcrumb names each
    ancestor by its number and, where it has one, its heading; one that the reader gave stays.

    Takes time linear in the passages times the segments of a number.

    Args:
        passages: one document, in its order.
        title: the document's title, put on every passage; empty: what `untitled` calls it.
    """
    numbers = [segments(passage.passage_id) for passage in passages]
    parents = _given_parents(passages, _parents(numbers))
    with_children = {parent for parent in parents if parent is not None}
    breadcrumbs = _breadcrumbs(passages, parents)
    guidance = lettered_guidance(numbers)
    arranged = []
    for index, (passage, parent) in enumerate(zip(passages, parents, strict=True)):
        kind = kind_of(numbers[index], passage.text, index in with_children)
        kind = "guidance" if kind == "rule" and index in guidance else kind
        arranged.append(
            replace(
                passage,
                document_title=title or untitled(passage.document_id),
                kind=kind if passage.kind == "rule" else passage.kind,
                order=index,
                depth=len(numbers[index]),
                parent=None if parent is None else passages[parent].id,
                breadcrumb=passage.breadcrumb or breadcrumbs[index],
            )
        )
    return arranged


def _parents(numbers: Sequence[tuple[str, ...]]) -> list[int | None]:
    """Return for each number the index of its nearest existing proper prefix.

    Where there is none, `Chapter 3` is above 3.1 and what follows it.
    """
    first: dict[tuple[str, ...], int] = {}
    for index, number in enumerate(numbers):
        if number:
            first.setdefault(number, index)
    chapters: dict[str, int] = {}
    parents: list[int | None] = []
    for index, number in enumerate(numbers):
        prefixes = (number[:end] for end in range(len(number) - 1, 0, -1))
        found = next((first[prefix] for prefix in prefixes if prefix in first), None)
        if found is None and len(number) > 1:
            found = chapters.get(number[0])
        parents.append(found)
        if chapter := chapter_number(number):
            chapters[chapter] = index
    return parents


def chapter_number(number: Sequence[str]) -> str:
    """Return the `3` of `Chapter 3`, with which the numbers below it may begin; "" for others."""
    if len(number) != 1 or container_kind(number[0]) != "division":
        return ""
    return number[0].rpartition(" ")[2]


def _given_parents(
    passages: Sequence[Passage], found: Sequence[int | None]
) -> Sequence[int | None]:
    """Return the parents with those that the reader gave in place of those that numbers tell.

    Where a reader gives parents, all that are left to numbers must come before their children
    too, so that no passage is its own ancestor.
    """
    if all(passage.parent is None for passage in passages):
        return found
    place: dict[str, int] = {}
    parents: list[int | None] = []
    for index, (passage, told) in enumerate(zip(passages, found, strict=True)):
        given = place.get(passage.parent) if passage.parent is not None else None
        before = told if told is not None and told < index else None
        parents.append(before if given is None else given)
        place[passage.id] = index
    return parents


def _breadcrumbs(
    passages: Sequence[Passage], parents: Sequence[int | None]
) -> list[tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for index in range(len(passages)):
        chain = [index]
        while chain[-1] not in found and (parent := parents[chain[-1]]) is not None:
            chain.append(parent)
        found.setdefault(chain[-1], ())
        for below, above in zip(chain[-2::-1], chain[:0:-1], strict=True):
            found[below] = (*found[above], _label(passages[above]))
    return [found[index] for index in range(len(passages))]


def _label(passage: Passage) -> str:
    """Return number and heading; a number that is the heading, or ends with it, says both."""
    number, words = passage.passage_id, heading(passage.text)
    if number == words or number.endswith(f".{words}"):
        return number
    return f"{number} {words}".strip()
