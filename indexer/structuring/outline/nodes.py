"""The tree of a document while its numbers are worked out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from indexer.structuring.labels.labels import Label

COUNTING = frozenset({"dotted", "integer", "letter"})
"""Shapes of labels that the numbers below begin with: `1.2` below `1.`, and `A.1` below `A.`."""

Role = Literal["root", "division", "number", "item", "guidance", "section"]
"""`number`: a chapter, section or rule; `item`: one of a list; `section`: a named one."""


@dataclass(slots=True)
class Node:
    """One numbered place of a document and what is below it, in reading order."""

    role: Role
    segment: str
    """What it adds to the number of the node above."""
    label: Label | None = None
    parent: Node | None = None
    place: int = 0
    """1-based paragraph of the source."""
    indent: int = 0
    signature: tuple[object, ...] = ()
    """What the label looks like on the page; siblings share it."""
    content: list[str | Node] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    """(rank, text) of the unnumbered headings in force for the nodes below."""
    prefix: tuple[str, ...] = ()
    """Unnumbered headings that this node is under."""
    fresh: tuple[str, ...] = ()
    """Those of them that are right before this node."""
    last: dict[str, Node] = field(default_factory=dict)
    """Look of a label → the last node below that has it."""
    quoted: bool = False
    """Whether its number belongs to another text that is quoted here."""
    titled: bool = False
    """Whether its own first line is set as a heading."""
    leads: bool = False
    """Whether it is a chapter whose number those below begin with (`1.2` below `Chapter 1`)."""
    level: int | None = None
    """0-based level of that heading; 0 for one that is only set as a heading by hand."""
    unit: bool = False
    """Whether its number runs through the document, whatever divisions are above it."""

    def add(self, node: Node) -> None:
        """Put a node below this one."""
        node.parent = self
        self.content.append(node)
        if node.label:
            self.last[node.label.look] = node

    @property
    def lines(self) -> list[str]:
        """Its own text, without the nodes below."""
        return [line for line in self.content if isinstance(line, str)]

    @property
    def children(self) -> list[Node]:
        """The nodes right below."""
        return [node for node in self.content if isinstance(node, Node)]

    @property
    def introduction(self) -> list[str]:
        """The text before the first node below."""
        found: list[str] = []
        for piece in self.content:
            if isinstance(piece, Node):
                break
            found.append(piece)
        return found

    @property
    def number(self) -> str:
        """The whole number: that of the nodes above and its own."""
        return f"{self.base.rstrip('.:')}.{self.segment}" if self.base else self.segment

    @property
    def base(self) -> str:
        """What comes before its own segment.

        A label that repeats that of the chapter above takes its place.
        """
        if self.unit or self.parent is None or self.parent.role == "root":
            return ""
        return self.parent.base if self.repeats_parent else self.parent.number

    @property
    def repeats_parent(self) -> bool:
        """Whether its label begins with that of the node above (`1.2` below `1.`, `Chapter 1`)."""
        above = self.parent.label if self.parent else None
        if self.label is None or above is None or self.label.shape != "dotted":
            return False
        return above.shape in COUNTING or bool(self.parent and self.parent.leads)

    @property
    def chapter(self) -> bool:
        """Whether it is numbered by one integer, as chapters are."""
        return self.role == "number" and self.label is not None and self.label.shape == "integer"
