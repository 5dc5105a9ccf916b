"""Unnumbered headings: which are in force for the numbers that follow."""

from __future__ import annotations

from dataclasses import dataclass

from indexer.blocks import Block
from indexer.structuring.outline.headings import PARTING_LEVEL, STYLED_LEVELS, rank
from indexer.structuring.outline.nodes import Node


@dataclass(frozen=True, slots=True)
class Subheading:
    """A heading that was read and not yet given to what it is above."""

    rank: int
    text: str
    place: int


class Subheadings:
    """Headings that were read and not yet given to what they are above.

    A heading holds for the node that follows it and for that node's later siblings, until a
    heading of the same or a higher rank takes its place. People write it before each of them.
    """

    def __init__(self) -> None:
        self._waiting: list[Subheading] = []
        self._looks: list[tuple[object, ...]] = []

    def __bool__(self) -> bool:
        """Return whether a heading waits."""
        return bool(self._waiting)

    @property
    def parting(self) -> int | None:
        """The level of the outermost heading that waits and parts the document; None without."""
        level = min((one.rank for one in self._waiting), default=None)
        return level if level is not None and level <= PARTING_LEVEL else None

    def add(self, block: Block, text: str) -> None:
        """Take a heading."""
        line = " ".join(text.split())
        self._waiting.append(Subheading(self._rank(rank(block)), line, block.place))

    def write_to(self, node: Node) -> None:
        """Give the waiting headings to the text of a node: unnumbered text follows them."""
        node.content += [one.text for one in self._waiting]
        self._waiting = []

    def open_section(self, parent: Node) -> Node:
        """Return a section below `parent` that the last heading that parts the document names.

        It holds for the numbers that follow, as every heading does; those after it are text of
        the section.
        """
        last = max(at for at, one in enumerate(self._waiting) if one.rank <= PARTING_LEVEL)
        heading, below = self._waiting[last], self._waiting[last + 1 :]
        self._waiting = self._waiting[: last + 1]
        node = Node("section", heading.text.rstrip(":"), place=heading.place)
        self.give(parent, node)
        node.prefix, node.fresh = node.prefix[:-1], node.fresh[:-1]
        node.content += [one.text for one in below]
        return node

    def give(self, parent: Node, node: Node) -> None:
        """Give a new node below `parent` the headings that it is under.

        A numbered title ends those of its level too.
        """
        node.fresh = tuple(one.text for one in self._waiting)
        ranks = [one.rank for one in self._waiting]
        if node.level is not None:
            ranks.append(node.level)
        if ranks:
            parent.headings = [one for one in parent.headings if one[0] < min(ranks)]
        inherited = tuple(text for _, text in parent.headings)
        parent.headings = parent.headings + [(one.rank, one.text) for one in self._waiting]
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
