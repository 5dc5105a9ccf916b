"""Blocks with the labels that they begin with, automatic and typed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from indexer.blocks import Block
from indexer.structuring.labels.labels import Label, automatic_label, parse_label
from indexer.structuring.labels.line_labels import heading
from indexer.structuring.outline.headings import is_set_apart

_LETTERED = r"(?P<label>[A-Z]\d{1,3}[A-Z]{0,2})"
_LETTERED_NUMBER = re.compile(_LETTERED)
_BEFORE_TAB = re.compile(rf"{_LETTERED} *(?:\t\s*|$)")
_BEFORE_SPACE = re.compile(rf"{_LETTERED}\s+(?=[A-Z])")

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


def plain_label(one: Labelled) -> Labelled | None:
    """Return a paragraph with the label that it may have, or None for one that can have none."""
    block, text = one.block, one.block.text.strip(" \n")
    if block.kind != "paragraph" or one.labels:
        return None
    if block.label:
        lettered = _LETTERED_NUMBER.fullmatch(block.label.strip())
        return Labelled(block, (Label(lettered["label"], "dotted"),), text) if lettered else None
    set_apart = is_set_apart(block)
    if found := _BEFORE_TAB.match(text) or (set_apart and _BEFORE_SPACE.match(text)):
        return Labelled(block, (Label(found["label"], "dotted"),), text[found.end() :])
    return None if set_apart else _without_mark(block, text)


def has_title(plain: Labelled) -> bool:
    """Return whether nothing or a title follows a label, no sentence."""
    if plain.labels[0].shape == "division" and not plain.rest:
        return True
    return len(plain.labels) == 1 and bool(heading(plain.rest))


def begins(one: Labelled) -> bool:
    """Return whether a paragraph is the title of a first number (`1 Scope`)."""
    plain = plain_label(one)
    return bool(plain and plain.labels[0].first and has_title(plain))


def _without_mark(block: Block, text: str) -> Labelled | None:
    """Read `2 Duties` and `Article 2`."""
    parsed = parse_label(text, heading=True)
    if not parsed or parsed[0].shape not in ("division", "integer"):
        return None
    found = Labelled(block, (parsed[0],), parsed[1].strip())
    return found if parsed[0].shape == "integer" or has_title(found) else None
