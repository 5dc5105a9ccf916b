"""Provisions that a text quotes in order to insert them into another: text, not provisions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from indexer.blocks import Block
from indexer.structuring.labels import parse_label

LONGEST = 400
"""Blocks of a quotation at most: a mark that is never closed opens none."""

_ANNOUNCING = (":", "-", "–", "—")
_MARKS = {"“": "”", "„": "“", "«": "»"}
_STRAIGHT = '"'
_STRAIGHT_END = re.compile(r"\"[.;,]*(?: and)?$")


def quotations_joined(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks in which each quoted provision is one block of text, its parts as lines.

    It begins with a mark and a number (`“(2) A company …`), or below a colon or a dash, and ends
    with the closing mark. Some repeat the opening mark before each part and close it once.
    """
    found: list[Block] = []
    at = 0
    while at < len(blocks):
        end = _end(blocks, at)
        if end is None:
            found.append(blocks[at])
            at += 1
        else:
            text = "\n".join(_line(block) for block in blocks[at:end])
            found.append(replace(blocks[at], text=text, label="", bold=False, heading_level=None))
            at = end
    return found


def _end(blocks: Sequence[Block], start: int) -> int | None:
    """Return the place after a quotation that begins at a block, or None where none does."""
    text = _line(blocks[start])
    closing = _MARKS.get(text[:1])
    straight = text.startswith(_STRAIGHT) and text.count(_STRAIGHT) % 2 == 1
    announced = start > 0 and _line(blocks[start - 1]).endswith(_ANNOUNCING)
    if not (closing or straight) or not (announced or parse_label(text[1:], heading=True)):
        return None
    opening, balance = text[0], 0
    for at in range(start, min(start + LONGEST, len(blocks))):
        line = _line(blocks[at])
        if closing is None:
            if _STRAIGHT_END.search(line):
                return at + 1 if at > start else None
            continue
        opened, closed = line.count(opening), line.count(closing)
        repeated = at > start and line.startswith(opening) and opened > closed
        balance += opened - closed - repeated
        if balance <= 0:
            return at + 1 if at > start else None
    return None


def _line(block: Block) -> str:
    return f"{block.label} {block.text}".strip()
