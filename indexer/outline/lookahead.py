"""What the blocks after a heading tell about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from indexer.outline.labelled import Labelled
from indexer.outline.nodes import Node
from indexer.outline.passages import stands_alone
from indexer.structuring.labels import Label

LOOK_AHEAD = 500
"""Blocks after a heading among which its meaning shows; it bounds the time that a text takes."""


def text_follows(following: Sequence[Labelled]) -> bool:
    """Return whether the next block with text has no label."""
    after = _first_text(following)
    return after is not None and not after.labels


def is_inner_division(label: Label, chapter: Node | None, following: Sequence[Labelled]) -> bool:
    """Return whether a part is inside a chapter whose numbers run on through it.

    Such a part is not a part of the numbers: rule 3.1 stays 3.1 in Part 1 of chapter 3.

    Args:
        label: the part's.
        chapter: the open chapter, if there is one.
        following: the blocks after the part's heading.
    """
    if label.shape != "division" or label.attached:
        return False
    if chapter is None or chapter.label is None or chapter.label.signed:
        return False
    for one in following:
        if one.labels and one.labels[0].shape == "dotted":
            return one.labels[0].core.split(".")[0] == chapter.label.core.split(".")[0]
        if one.labels and one.signature == chapter.signature:
            return False
    return False


def goes_on_after(box: Iterable[Labelled], opened: Iterable[Node]) -> bool:
    """Return whether a list that belongs to a clause continues after a guidance box inside it."""
    clauses = [
        node
        for node in opened
        if node.role == "item" and node.parent and not stands_alone(node, node.parent)
    ]
    for one in box:
        if not one.labels:
            continue
        label = one.labels[0]
        if label.shape in ("division", "dotted") or label.first:
            return False  # the next number, or a list of the box itself
        if any(node.label and label.follows(node.label) for node in clauses):
            return True
    return False


def heads_next_number(following: Sequence[Labelled], opened: Sequence[Node]) -> bool:
    """Return whether a title with the word guidance is above the number that comes next.

    Such as "Guidance on applicable rules" between the paragraphs 129 and 130 of a guidance note.

    Args:
        following: the blocks after the title.
        opened: the open places of the document.
    """
    after = _first_text(following)
    if after is None or not after.labels:
        return False
    label = after.labels[0]
    return any(node.before(label) for node in opened if node.role != "guidance")


def is_inner_title(following: Sequence[Labelled], box: Node | None) -> bool:
    """Return whether a title with the word guidance is inside a box whose numbers run on.

    Args:
        following: the blocks after the title.
        box: the open guidance box, if there is one.
    """
    after = _first_text(following)
    if box is None or after is None or not after.labels:
        return False
    return box.before(after.labels[0]) is not None


def _first_text(following: Sequence[Labelled]) -> Labelled | None:
    return next((one for one in following if one.block.text.strip()), None)
