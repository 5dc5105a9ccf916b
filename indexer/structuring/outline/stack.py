"""Which places of a document are open, and where a new label belongs among them."""

from __future__ import annotations

from collections.abc import Callable

from indexer.structuring.labels.labels import Label
from indexer.structuring.labels.line_labels import heading
from indexer.structuring.labels.order import dotted_follows
from indexer.structuring.outline.labelled import Labelled, has_title
from indexer.structuring.outline.nodes import COUNTING, Node

_OF_RULES = frozenset({"section", "article"})
"""Divisions that hold rules."""

Signature = tuple[object, ...]
"""What a label looks like on the page; siblings share it."""

_GAP = 9
"""Numbers that may be left out where only spaces part the next one from its text."""

_ANNOUNCING = (":", ":-", "—")

SLACK = 60
"""Twentieths of a point by which indents of one level differ in practice."""


class Stack:
    """The open nodes of a document, from the root to the innermost."""

    def __init__(self) -> None:
        self.root = Node("root", "")
        self.nodes = [self.root]
        self._numbered: dict[str, Node] = {}

    @property
    def top(self) -> Node:
        """The innermost open node."""
        return self.nodes[-1]

    def open(self, node: Node) -> None:
        """Put a node below the innermost and open it."""
        self.top.add(node)
        self.nodes.append(node)
        if node.label and node.role in ("division", "number"):
            self._numbered[node.label.look] = node

    def rule(self) -> Node:
        """Return the innermost open node that is neither a list item nor guidance."""
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

    def close_for_heading(self, level: int) -> None:
        """Close what an unnumbered heading ends: rules, and titles of its level or a deeper one.

        A number that has no text yet continues: the heading is its title. Divisions are ended by
        divisions, but for articles and sections, which hold rules.
        """
        while self.top.content and not _is_container(self.top):
            if self.top.level is not None and self.top.level < level:
                return
            self.nodes.pop()

    def close_for_division(self, label: Label) -> None:
        """Close what a division ends: all but the divisions that may hold it."""
        rank = label.rank
        while self.top.role != "root":
            if self.top.role == "division":
                if self.top.label is None:  # the bare word ANNEX holds whatever comes below it
                    return
                if not label.attached and self.top.label.rank < rank:
                    return
            self.nodes.pop()

    def close_for_dotted(self, label: Label) -> None:
        """Go up to the longest number that begins a label, else to the division.

        Of two that are equally long the outer one is meant: `2.1` belongs to chapter 2, not to
        the second item of a guidance box; and `4.15` not to the fourth item of 4.14.
        """
        parts = label.core.split(".")
        keep, longest, inside = 0, 0, False
        for depth, node in enumerate(self.nodes):
            if node.role in ("root", "division"):
                keep, longest, inside = depth, 0, False
            elif (
                node.label and node.label.shape in COUNTING and not (inside and node.role == "item")
            ):
                inside = inside or node.label.shape == "dotted"
                own = node.label.core.split(".")
                if longest < len(own) < len(parts) and parts[: len(own)] == own:
                    keep, longest = depth, len(own)
        del self.nodes[keep + 1 :]

    def fits(self, label: Label) -> bool:
        """Return whether a dotted number continues those before it.

        Of one that only spaces part from its text this is the sign that it is not a figure (`2.5
        Million dollars`) and no reference (`3.5.8 Applies`).
        """
        if label.signed:
            return True
        parts = label.core.split(".")
        last = self._numbered.get(label.look)
        for node in (*self.nodes, *([last] if last else ())):
            if node.label and node.label.shape in COUNTING:
                own = node.label.core.split(".")
                if parts[: len(own)] == own or dotted_follows(parts, own, _GAP):
                    return True
        numbered = (node.label for node in self._numbered.values() if node.role == "number")
        return not any(numbered)

    def goes_on(self, plain: Labelled) -> bool:
        """Return whether a label that only its words tell continues those before it.

        It follows the last that looks the same, or is the first of the document or an attachment.
        A sentence behind a bare number is believed in an attachment and after another sentence.
        """
        label, inside = plain.labels[0], self._from_attachment()
        attached = inside[0] is not self.root
        if label.shape == "dotted":
            return attached
        believed = attached or has_title(plain) or len(plain.labels) > 1
        before = self._numbered.get(label.look)
        if before is None or before.label is None or not label.follows(before.label):
            return believed and label.first and not any(label.look in one.last for one in inside)
        bare = label.shape == "division" or before.label.text == before.label.core
        alike = bare and before.signature == plain.signature
        return alike and (believed or not _has_title(before))

    def _from_attachment(self) -> list[Node]:
        """Return the open nodes from the innermost attachment on, or all without one."""
        for depth in range(len(self.nodes) - 1, 0, -1):
            if _is_attachment(self.nodes[depth]):
                return self.nodes[depth:]
        return self.nodes

    def close_for_item(
        self, label: Label, signature: Signature, indent: int, parted: int | None = None
    ) -> None:
        """Find the list that a label continues with; else leave open what a new list is in.

        A list that looks the same is tried before others; only a division ends a division.

        Args:
            label: the label in question.
            signature: what it looks like on the page.
            indent: of its text.
            parted: level of a heading right before it that parts the document; a new list is
                below that.
        """
        if label.shape == "integer" and self.top.role == "section":
            self.nodes.pop()
        for fits in (_goes_on_alike, _goes_on, _goes_on_after_gap):
            for beside in (True, False):
                depth = self._list_before(label, signature, fits, indent if beside else None)
                if depth is not None:
                    del self.nodes[depth + 1 :]
                    return
        if parted is not None:
            self.close_for_heading(parted)
        while (
            self.top.role == "item"
            and not _awaits_list(self.top, label)
            and (self.top.indent > indent + SLACK or _begins_anew(self.top, label, indent))
        ):
            self.nodes.pop()
        # A capital that looks like a chapter's, left of what is below that chapter, is one.
        chapter = self.chapter() if label.capital else None
        alike = chapter and chapter.signature == signature and _stands_at(chapter, indent)
        if chapter and alike and any(one.indent > indent + SLACK for one in chapter.children):
            del self.nodes[self.nodes.index(chapter) :]

    def close_for_list_anew(self, label: Label, signature: Signature) -> None:
        """Close the open number that a list which begins again below a heading is beside."""
        for depth in range(len(self.nodes) - 1, 0, -1):
            node = self.nodes[depth]
            if node.role in ("division", "guidance"):
                return
            if node.label and node.label.look == label.look and node.signature == signature:
                del self.nodes[depth:]
                return

    def _list_before(
        self,
        label: Label,
        signature: Signature,
        fits: Callable[[Node, Label, Signature], bool],
        indent: int | None,
    ) -> int | None:
        """Return the depth of the innermost node whose list a label fits."""
        for depth in range(len(self.nodes) - 1, -1, -1):
            before = self.nodes[depth].last.get(label.look)
            if before and fits(before, label, signature) and _stands_at(before, indent):
                return depth
            if self.nodes[depth].role == "division":
                return None
        return None

    def is_quotation(self, label: Label) -> bool:
        """Return whether a number in an attachment is that of another text which it repeats.

        The attachment's own numbers begin with its letter, its number, or 1, or continue a
        chapter that is in it.
        """
        attachment = next((node for node in reversed(self.nodes) if node.role == "division"), None)
        if attachment is None or attachment.label is None:
            return False
        if not attachment.label.attached:
            return False
        first = label.core.split(".")[0]
        own = {node.label.core.split(".")[0] for node in attachment.children if node.label}
        return first.isdigit() and first not in own | {attachment.label.core, "1"}


def _has_title(node: Node) -> bool:
    first = node.content[0] if node.content else ""
    return isinstance(first, str) and bool(heading(first))


def _is_attachment(node: Node) -> bool:
    if node.role != "division":
        return False
    return node.label is None or node.label.attached


def _is_container(node: Node) -> bool:
    """Return whether a node is the document or a division that holds more than the rules of one."""
    unit = node.label.unit if node.label else ""
    return node.role == "root" or (node.role == "division" and unit not in _OF_RULES)


def _stands_at(before: Node, indent: int | None) -> bool:
    return indent is None or abs(before.indent - indent) <= SLACK


def _goes_on_alike(before: Node, label: Label, signature: Signature) -> bool:
    return before.signature == signature and _goes_on_any(before, label)


def _goes_on(before: Node, label: Label, signature: Signature) -> bool:
    """Return whether a label comes next, whatever it looks like on the page.

    Of `(i)` after `(h)` Word knows whether it is the Roman one of an inner list.
    """
    automatic = before.signature[0] != "typed" and signature[0] != "typed"
    return _goes_on_any(before, label) and not (label.first and automatic)


def _goes_on_any(before: Node, label: Label) -> bool:
    return before.label is not None and label.follows(before.label)


def _goes_on_after_gap(before: Node, label: Label, signature: Signature) -> bool:
    """Return whether a label comes later in a list: extracts leave numbers out.

    No list begins with another than its first.
    """
    later = before.label is not None and label.comes_after(before.label)
    return later and before.signature == signature and not label.first


def _awaits_list(node: Node, label: Label) -> bool:
    """Return whether an item ends as a clause does that a list completes, wherever that is."""
    if not label.first or node.label is None:
        return False
    if node.label.look == label.look and not (label.core in "aA" and node.label.core in "iI"):
        return False
    last = node.content[-1] if node.content else None
    return isinstance(last, str) and last.rstrip().endswith(_ANNOUNCING)


def _begins_anew(node: Node, label: Label, indent: int) -> bool:
    """Return whether a label restarts the list of an open item; `(i)` goes below `(a)`.

    Further right it begins one within that item.
    """
    if node.label is None or node.label.look != label.look or indent > node.indent + SLACK:
        return False
    return label.core not in ("i", "I") or node.label.core in ("i", "I")
