"""Which places of a document are open, and where a new label belongs among them."""

from __future__ import annotations

from indexer.outline.labels import Label
from indexer.outline.nodes import Node

ORDER = ("schedule", "annex", "appendix", "app", "book", "title", "part", "division", "chapter",
         "section", "article")  # fmt: skip
"""Divisions from the outermost; the first four begin a numbering of their own."""

ATTACHMENTS = frozenset(ORDER[:4])

SLACK = 60
"""Twentieths of a point by which indents of one level differ in practice."""


class Stack:
    """The open nodes of a document, from the root to the innermost."""

    def __init__(self) -> None:
        self.root = Node("root", "")
        self.nodes = [self.root]

    @property
    def top(self) -> Node:
        """The innermost open node."""
        return self.nodes[-1]

    def rule(self) -> Node:
        """Return the innermost open node that is no list item and no guidance."""
        return next(node for node in reversed(self.nodes) if node.role not in ("item", "guidance"))

    def chapter(self) -> Node | None:
        """Return the outermost open number."""
        return next((node for node in self.nodes if node.role == "number"), None)

    def close_items(self) -> None:
        """Close list items and guidance."""
        while self.top.role in ("item", "guidance"):
            self.nodes.pop()

    def close_for_section(self) -> None:
        """Close what a named section ends.

        Right below the title of a chapter it belongs to the chapter, else to the document.
        """
        while self.top.role not in ("root", "division") and not (
            self.top.chapter and len(self.top.content) <= 1
        ):
            self.nodes.pop()

    def close_for_division(self, label: Label) -> None:
        """Close what a division ends: all but the divisions that may hold it."""
        order = ORDER.index(label.word)
        while self.top.role != "root":
            if self.top.role == "division":
                if self.top.label is None:  # the bare word ANNEX holds whatever comes below it
                    return
                if label.word not in ATTACHMENTS and ORDER.index(self.top.label.word) < order:
                    return
            self.nodes.pop()

    def close_for_dotted(self, label: Label) -> None:
        """Go up to the longest number that begins a label, else to the division.

        Of two that are equally long the outer one is meant: `2.1` belongs to chapter 2, not to
        the second item of a guidance box.
        """
        parts = label.core.split(".")
        keep, longest = 0, 0
        for depth, node in enumerate(self.nodes):
            if node.role in ("root", "division"):
                keep, longest = depth, 0
            elif node.label and node.label.shape in ("dotted", "integer"):
                own = node.label.core.split(".")
                if longest < len(own) < len(parts) and parts[: len(own)] == own:
                    keep, longest = depth, len(own)
        del self.nodes[keep + 1 :]

    def fits(self, label: Label) -> bool:
        """Tell whether a dotted number goes on with those before it.

        Of one that only spaces part from its text this is the sign that it is no figure (`2.5
        Million dollars`) and no reference (`3.5.8 Applies`).
        """
        parts = label.core.split(".")
        for node in self.nodes:
            if node.label and node.label.shape in ("dotted", "integer"):
                own = node.label.core.split(".")
                if parts[: len(own)] == own or _next_number(own, parts):
                    return True
        return not any(child.label for child in self.root.children)

    def close_for_item(self, label: Label, signature: tuple[object, ...], indent: int) -> None:
        """Find the list that a label goes on with; else leave open what a new list stands in.

        A list that looks the same is tried before others; only a division ends a division.
        """
        if label.shape == "integer" and self.top.role == "section":
            self.nodes.pop()
        for same_look in (True, False):
            depth = self._list_before(label, signature, same_look)
            if depth is not None:
                del self.nodes[depth + 1 :]
                return
        while self.top.role == "item" and (
            self.top.indent > indent + SLACK or _begins_anew(self.top, label)
        ):
            self.nodes.pop()

    def _list_before(
        self, label: Label, signature: tuple[object, ...], same_look: bool
    ) -> int | None:
        """Return the depth of the innermost node whose list a label goes on with."""
        for depth in range(len(self.nodes) - 1, -1, -1):
            before = self.nodes[depth].last.get(label.look)
            if before and before.label and label.follows(before.label):
                alike = before.signature == signature
                if alike or not (same_look or _inner_roman(before, signature, label)):
                    return depth
            if self.nodes[depth].role == "division":
                return None
        return None

    def is_quotation(self, label: Label) -> bool:
        """Tell whether a number in an attachment is that of another text which it repeats.

        The attachment's own numbers begin with its letter, its number, or 1, or go on with a
        chapter that stands in it.
        """
        attachment = next((node for node in reversed(self.nodes) if node.role == "division"), None)
        if attachment is None or attachment.label is None:
            return False
        if attachment.label.word not in ATTACHMENTS:
            return False
        first = label.core.split(".")[0]
        own = {node.label.core.split(".")[0] for node in attachment.children if node.label}
        return first.isdigit() and first not in own | {attachment.label.core, "1"}


def _inner_roman(before: Node, signature: tuple[object, ...], label: Label) -> bool:
    """Tell whether `(i)` after `(h)` is the Roman one of an inner list: Word knows its level."""
    automatic = before.signature[0] != "typed" and signature[0] != "typed"
    return label.first and automatic


def _next_number(own: list[str], parts: list[str]) -> bool:
    """Tell whether a number begins where another ends: `1.3` after `1.2`, `2.1` after `1.4`."""
    for place, (one, other) in enumerate(zip(own, parts, strict=False)):
        if one != other:
            later = one.isdigit() and other.isdigit() and int(other) == int(one) + 1
            return later and all(part == "1" for part in parts[place + 1 :])
    return False


def _begins_anew(node: Node, label: Label) -> bool:
    """Tell whether a label begins the list of an open item anew; `(i)` goes below `(a)`."""
    if node.label is None or node.label.look != label.look:
        return False
    return label.core not in ("i", "I") or node.label.core in ("i", "I")
