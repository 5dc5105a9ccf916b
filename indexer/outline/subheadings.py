"""Unnumbered headings: which are in force for the numbers that follow."""

from __future__ import annotations

from indexer.blocks import Block
from indexer.outline.headings import STYLED_LEVELS, rank
from indexer.outline.nodes import Node


class Subheadings:
    """Headings that were read and not yet given to what they stand above.

    A heading holds for the node that follows it and for that node's later siblings, until a
    heading of the same or a higher rank takes its place. People write it before each of them.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[int, str]] = []
        self._looks: list[tuple[object, ...]] = []

    def __bool__(self) -> bool:
        """Tell whether a heading waits."""
        return bool(self._waiting)

    def add(self, block: Block, text: str) -> None:
        """Take a heading."""
        self._waiting.append((self._rank(rank(block)), " ".join(text.split())))

    def write_to(self, node: Node) -> None:
        """Give the waiting headings to the text of a node: unnumbered text follows them."""
        node.content += [text for _, text in self._waiting]
        self._waiting = []

    def give(self, parent: Node, node: Node) -> None:
        """Give a new node below `parent` the headings that it stands under."""
        node.fresh = tuple(text for _, text in self._waiting)
        highest = min((level for level, _ in self._waiting), default=None)
        if highest is not None:
            parent.headings = [one for one in parent.headings if one[0] < highest]
        inherited = tuple(text for _, text in parent.headings)
        parent.headings = parent.headings + self._waiting
        self._waiting = []
        alone = node.role in ("division", "guidance")
        node.prefix = node.fresh if alone else inherited + node.fresh

    def _rank(self, look: tuple[object, ...]) -> int:
        """Return the rank of a heading: its style's level, or after those the order of looks."""
        if len(look) == 1:
            return int(str(look[0]))
        if look not in self._looks:
            self._looks.append(look)
        return STYLED_LEVELS + 1 + self._looks.index(look)
