"""Blocks with the labels that they begin with, automatic and typed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from indexer.blocks import Block
from indexer.outline.headings import is_set_apart
from indexer.structuring.labels import Label, automatic_label, parse_label

MOST_LABELS = 4
"""Labels at the beginning of one paragraph, such as `1.1.1 (1) (a)`; people stop there."""

_JOINED = ("—", "–", "-", ")")
"""How a label ends that another one follows without a blank: `2.—(1)`, `(a)(1)`."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A block, its labels from the outermost, and the text after them."""

    block: Block
    labels: tuple[Label, ...]
    rest: str
    spaced: bool = False
    """Whether the first label is typed and only spaces part it from text that is not a heading, or
    one that begins with a small letter."""

    @property
    def signature(self) -> tuple[object, ...]:
        """What the first label looks like on the page; siblings share it."""
        if self.block.label:
            return (self.block.list_id, self.block.level)
        return ("typed", self.block.style, self.block.bold)


def labelled(block: Block) -> Labelled:
    """Return a block with its labels."""
    automatic = automatic_label(block.label) if block.label else None
    if not automatic and any(character.isdigit() for character in block.label):
        # A number that is not a label is part of what is said.
        block = replace(block, text=f"{block.label} {block.text}", label="")
    text = block.text.strip(" \n")
    if block.kind != "paragraph":
        return Labelled(block, (), text)
    found: list[Label] = [automatic] if automatic else []
    heading, spaced, joined = is_set_apart(block), False, False
    while len(found) < MOST_LABELS:
        parsed = parse_label(text, heading)
        if not parsed:
            break
        between = text[: len(text) - len(parsed[1])]
        if not _counts(block, found, parsed[0], joined or "\t" in between):
            break
        titled = heading and not parsed[1][:1].islower()
        spaced = spaced or not (found or titled or "\t" in between)
        joined = between.endswith(_JOINED)
        found.append(parsed[0])
        text = parsed[1]
    return Labelled(block, tuple(found), text.strip(), spaced)


def _counts(block: Block, before: list[Label], label: Label, parted: bool) -> bool:
    """Return whether a typed label is one; a reference that begins a text is none.

    Args:
        block: the paragraph.
        before: its labels so far.
        label: the label in question.
        parted: whether a tab or a dash parts it from its neighbours, or nothing; not only spaces.
    """
    if label.shape == "division" and not is_set_apart(block):
        return False
    if not before:
        return True
    if before[-1].shape == "bullet" or label.shape in ("division", "dotted", "bullet"):
        return False
    begins_list = label.shape == "bracket" and label.core == "1"
    return parted or (begins_list and before[-1].shape == "dotted")
