"""Guidance between the paragraphs of a rule, which belongs to the paragraph above it."""

from __future__ import annotations

from indexer.outline.nodes import Node
from indexer.outline.passages import stands_alone


def settle_guidance(node: Node) -> None:
    """Hang guidance that is between two paragraphs on the first of them, below a node.

    Guidance after the last paragraph is the whole rule's. Where a list completes a clause, its
    items are not places of their own, and nothing hangs on them.
    """
    paragraph: Node | None = None
    waiting: list[Node] = []
    for child in node.children:
        if child.role == "guidance":
            waiting.append(child)
            continue
        if waiting and paragraph and _goes_on(paragraph, child) and stands_alone(paragraph, node):
            _hang(waiting, node, paragraph)
        paragraph, waiting = child, []
    for child in node.children:
        settle_guidance(child)


def _goes_on(before: Node, after: Node) -> bool:
    """Return whether two nodes are neighbours in one list."""
    if before.role != "item" or not (before.label and after.label):
        return False
    return after.label.follows(before.label)


def _hang(boxes: list[Node], node: Node, paragraph: Node) -> None:
    moved = {id(box) for box in boxes}
    node.content = [piece for piece in node.content if id(piece) not in moved]
    for box in boxes:
        paragraph.add(box)
