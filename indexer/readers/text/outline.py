"""Plain text whose numbers say no more than their place: `5A. Duties`, and below it `(1)`, `(a)`.

Such a text is numbered as a Word file is, whose numbers only their place tells; its lines have no
look, so that a title is told by what is below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from indexer.blocks import Block
from indexer.readers.text.law import TITLE_WORDS
from indexer.structuring.labels.labels import Label, parse_label
from indexer.structuring.labels.line_labels import heading
from indexer.structuring.pages.line import Line

_FIRST_OF_LIST = re.compile(r"^(\d[\w.]*)\s+\(1\)\s+(?=[A-Z“\"'‘])")
"""`1.1.1 (1) A Firm` holds two numbers; tabs part them."""
_COLUMN = 50
"""Twentieths of a point that a column counts for as an indent: to one more or less nobody sees."""
_OPEN_ENDS = ("—", "–", "-")


def text_blocks(lines: Sequence[Line]) -> list[Block]:
    """Return the paragraphs of a text; what is a title is set bold.

    Marks of Markdown say what is one. Where a text has none, what is below a line does.
    """
    blocks = [
        Block(line.block, place=line.place)
        if isinstance(line.block, str)
        else Block(
            _FIRST_OF_LIST.sub(r"\1\t(1)\t", line.text, count=1),
            heading_level=line.rank - 1 if line.rank else None,
            indent=_COLUMN * line.indent,
            bold=bool(line.rank) or line.marked,
            place=line.place,
        )
        for line in lines
    ]
    marked = any(line.rank or line.marked for line in lines)
    return blocks if marked else _with_titles(blocks)


def _with_titles(blocks: Sequence[Block]) -> list[Block]:
    found: list[Block] = []
    before: Label | None = None
    chapter: Block | None = None
    for block, below in zip_longest(blocks, blocks[1:]):
        following = below.text if below else ""
        title = _title(block.text, before, following)
        lettered = chapter is not None and _is_lettered(block, chapter, found[-1])
        titled = title or lettered or _stands_above(block.text, following)
        found.append(replace(block, bold=bool(titled)))
        if title and title.shape == "integer":
            before, chapter = title, block
    return found


def _is_lettered(block: Block, chapter: Block, above: Block) -> bool:
    """Return whether a letter has a title: it is where chapters do, left of what they hold."""
    found = parse_label(block.text, heading=True)
    if not (found and found[0].capital and _is_title(found[1])):
        return False
    return block.indent == chapter.indent < above.indent


def _stands_above(text: str, following: str) -> bool:
    """Return whether a line without a number is the heading of the numbered one below it."""
    if _label(text) is not None or not text[0].isupper() or not _is_title(text):
        return False
    below = _label(following)
    if below is not None and below.shape == "bracket":
        return below.core[0].isdigit() and len(text.split()) <= TITLE_WORDS
    return below is not None and (below.shape == "integer" or below.signed)


def _title(text: str, before: Label | None, following: str) -> Label | None:
    """Return the label before a title, or None where a text begins with none, or is a sentence."""
    label, rest = parse_label(text, heading=True) or (None, text)
    if label is None:
        return None
    if label.shape == "division":
        return label if not rest or heading(rest) else None
    return label if _is_title(rest) and _has_title(label, before, _label(following)) else None


def _has_title(label: Label, before: Label | None, below: Label | None) -> bool:
    """Return whether a number has a title rather than a text of its own.

    Args:
        label: the number.
        before: the last one with a title.
        below: the label of the next paragraph: numbers within this one tell a title, and the next
            of its own list tells that it has none.
    """
    if below is not None and below.shape == "dotted":
        return below.core.startswith(f"{label.core}.")
    if label.shape != "integer":
        return False
    if below is not None and below.shape == "bracket":
        return below.first
    if label.text == label.core:  # `4 Duty to pay`, or `4 lenders` in a sentence
        return label.follows(before) if before else label.first
    return below is None or below.shape == "division"


def _is_title(text: str) -> bool:
    sentence = "\n" in text or text.endswith(_OPEN_ENDS) or _label(text) is not None
    return bool(heading(text)) and not sentence


def _label(text: str) -> Label | None:
    found = parse_label(text)
    return found[0] if found else None
