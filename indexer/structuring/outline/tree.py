"""Building the tree: where each block of a document belongs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from indexer.blocks import Block
from indexer.structuring.labels.labels import Label
from indexer.structuring.outline.headings import (
    NAMED_SECTIONS,
    is_bare_attachment,
    is_guidance,
    is_heading,
    is_title,
    title_level,
)
from indexer.structuring.outline.labelled import Labelled, labelled, plain_label
from indexer.structuring.outline.nodes import Node, Role
from indexer.structuring.outline.passages import stands_alone
from indexer.structuring.outline.stack import Stack
from indexer.structuring.outline.subheadings import Subheadings

_LOOK_AHEAD = 500
"""Blocks after a heading among which its meaning shows; it bounds the time that a text takes."""


def build_tree(blocks: Sequence[Block], headings_open: bool = False) -> Node:
    """Return the root of a document's tree.

    Args:
        blocks: the text of the document, without its title page.
        headings_open: whether unnumbered headings are places of their own, as in a document
            that has no numbers.
    """
    builder = _Builder([labelled(block) for block in blocks], headings_open)
    for index in range(len(blocks)):
        builder.take(index)
    builder.end()
    return builder.stack.root


class _Builder:
    def __init__(self, blocks: Sequence[Labelled], headings_open: bool) -> None:
        self.stack = Stack()
        self.subheadings = Subheadings()
        self._blocks = blocks
        self._headings_open = headings_open

    def take(self, index: int) -> None:
        """Put one block where it belongs."""
        one = self._believed(self._blocks[index])
        if not one.block.text.strip() and one.block.kind != "figure":
            return
        if one.block.kind != "paragraph":
            self._write(fenced(one.block))
        elif one.labels and not self._is_label(one):
            self._write(one.block.text.rstrip())
        elif one.labels and _is_inner_division(
            one.labels[0], self.stack.chapter(), self._after(index)
        ):
            self.subheadings.add(one.block, f"{one.labels[0].text} {one.rest}")
        elif one.labels:
            self._open_labels(one)
        elif is_bare_attachment(one.block):
            self.stack.nodes = [self.stack.root]
            self._push(Node("division", _line(one.block), place=one.block.place))
        elif is_guidance(one.block) and self.stack.rule() is not self.stack.root:
            self._take_guidance(index)
        elif is_heading(one.block):
            self._take_heading(index)
        else:
            self._write(one.block.text.rstrip())

    def end(self) -> None:
        """Write what still waits."""
        self._part()
        self.subheadings.write_to(self.stack.top)

    def _believed(self, one: Labelled) -> Labelled:
        plain = plain_label(one)
        return plain if plain and self.stack.goes_on(plain) else one

    def _after(self, index: int) -> Sequence[Labelled]:
        return self._blocks[index + 1 : index + _LOOK_AHEAD]

    def _is_label(self, one: Labelled) -> bool:
        """Return whether a paragraph's label numbers it, or is only how its text begins."""
        label = one.labels[0]
        if label.shape == "bullet":
            return self.stack.top is not self.stack.root
        return not (one.spaced and label.shape == "dotted") or self.stack.fits(label)

    def _write(self, text: str) -> None:
        """Add text to the innermost place; headings right before it are part of it.

        A heading that parts the document opens a place of its own for it.
        """
        self._part()
        self.subheadings.write_to(self.stack.top)
        self.stack.top.content.append(text)

    def _part(self) -> None:
        """Open a place for what follows a waiting heading that parts the document.

        Right below the title of a division or a chapter the heading is part of its text.
        """
        level = self.subheadings.parting
        if level is None:
            return
        before = self.stack.top
        self.stack.close_for_heading(level)
        if before is self.stack.top and before is not self.stack.root:
            return
        self.stack.open(self.subheadings.open_section(self.stack.top))

    def _take_heading(self, index: int) -> None:
        block, top = self._blocks[index].block, self.stack.top
        after = next((one for one in self._after(index) if one.block.text.strip()), None)
        text_follows = after is not None and not after.labels
        named = text_follows and _line(block).rstrip(":").lower() in NAMED_SECTIONS
        if top.role == "division" and not top.content and not self.subheadings:
            # The line above was nothing but the number: this is its title.
            top.content.append(_line(block))
            top.titled = True
        elif named or self._headings_open:
            self.stack.close_for_section()
            self._push(Node("section", _line(block).rstrip(":"), place=block.place))
        else:
            self.subheadings.add(block, _line(block))

    def _take_guidance(self, index: int) -> None:
        block, after = self._blocks[index].block, self._after(index)
        if _goes_on_after(after, self.stack.nodes):
            self._write(_line(block))
        else:
            self._open_guidance(block)

    def _open_labels(self, one: Labelled) -> None:
        for label in one.labels:
            self._open(label, one)
        top = self.stack.top
        if one.rest:
            top.content.append(one.rest.lstrip("–—- ") if top.role == "division" else one.rest)
            top.titled = is_title(one.block, one.rest)
        if top.level is None and top.titled and top.role != "division":
            top.level = 0

    def _open(self, label: Label, one: Labelled) -> None:
        role: Role = "item"
        quoted = label.shape == "dotted" and self.stack.is_quotation(label)
        if label.shape == "division":
            self.stack.close_for_division(label)
            role = "division"
        elif label.shape == "dotted":
            if not quoted:
                self.stack.close_for_dotted(label)
            role = "number"
        else:
            if label.shape == "bullet":
                self._part()
            if self.subheadings and label.core == "1":
                self.stack.close_for_list_anew(label, one.signature)
            parted = self.subheadings.parting
            self.stack.close_for_item(label, one.signature, one.block.indent, parted)
            outermost = self.stack.top.role in ("root", "division")
            if outermost and label.shape in ("integer", "letter"):
                role = "number"
        colon = ":" if label.shape == "division" and _has_colon(one.block, label) else ""
        self._push(
            Node(
                role, label.text + colon, label, place=one.block.place, indent=one.block.indent,
                signature=one.signature, quoted=quoted, level=title_level(one.block, one.rest),
            )
        )  # fmt: skip

    def _open_guidance(self, block: Block) -> None:
        """Open a guidance box: it belongs to the rule above, not to the last of its items."""
        self.stack.close_items()
        text = _line(block).rstrip(":. ")
        self._push(Node("guidance", text[:1].upper() + text[1:], place=block.place))

    def _push(self, node: Node) -> None:
        self.subheadings.give(self.stack.top, node)
        self.stack.open(node)


def _line(block: Block) -> str:
    return " ".join(block.text.split())


def _has_colon(block: Block, label: Label) -> bool:
    return f"{label.text}:".lower() in _line(block).lower()


def fenced(block: Block) -> str:
    """Return a table or figure between its marks."""
    name = "Table" if block.kind == "table" else "Figure"
    return "\n".join(filter(None, (f"\\{name} Start", block.text, f"\\{name} End")))


def _is_inner_division(label: Label, chapter: Node | None, following: Sequence[Labelled]) -> bool:
    """Return whether a part is inside a chapter whose numbers run on through it.

    Such a part is not a part of the numbers: rule 3.1 stays 3.1 in Part 1 of chapter 3.
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


def _goes_on_after(box: Iterable[Labelled], opened: Iterable[Node]) -> bool:
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
