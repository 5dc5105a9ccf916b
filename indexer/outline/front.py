"""What stands before the text itself: the title page and the table of contents."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.blocks import TABLE_OF_CONTENTS, TITLE_PAGE, Block, LeftOut
from indexer.numbered import HEADING_WORDS
from indexer.outline.headings import LONGEST, is_contents, is_heading, rank
from indexer.outline.labelled import labelled

FRONT = 0.25
"""Part of a document within which its table of contents is looked for."""


def split_front(
    blocks: Sequence[Block], left_out: Sequence[LeftOut]
) -> tuple[str, list[Block], list[LeftOut]]:
    """Return the title, the blocks of the text, and what the title page holds.

    A document that begins with a number has no title (""); one with a table of contents begins
    after it.

    Args:
        blocks: the whole document.
        left_out: what its reader left out already; the table of contents among it.
    """
    filled = [block for block in blocks if block.text.strip()]
    titled = bool(filled) and not _is_numbered(filled[0])
    title = " ".join(filled[0].text.split()) if titled else ""
    end = blocks[int(len(blocks) * FRONT)].place if blocks else 0
    end = max(end, next((block.place for block in blocks if _is_numbered(block)), 0))
    listed = [left.place for left in left_out if left.reason == TABLE_OF_CONTENTS]
    listed += [block.place for block in blocks if is_contents(block) or _holds_contents(block)]
    last = max((place for place in listed if place <= end), default=0) or _title_page(filled)
    left = [LeftOut(b.text.strip(), TITLE_PAGE, b.place) for b in filled if b.place <= last]
    return title, [block for block in blocks if block.place > last], left


def _title_page(filled: Sequence[Block]) -> int:
    """Return the last place of a title page without a table of contents; 0 where there is none.

    What stands before the first number is one if it has no sentence. A heading right before that
    number belongs to the text unless it looks like the title.
    """
    first = next((i for i, block in enumerate(filled) if _is_numbered(block)), 0)
    front = filled[:first]
    if not front or any(_is_sentence(block.text.strip()) for block in front):
        return 0
    if len(front) > 1 and is_heading(front[-1]) and rank(front[-1]) != rank(front[0]):
        front = front[:-1]
    return front[-1].place


def _is_numbered(block: Block) -> bool:
    return any(label.shape != "bullet" for label in labelled(block).labels)


def _is_sentence(text: str) -> bool:
    words = len(text.split())
    return words > LONGEST or (words > HEADING_WORDS and text.endswith("."))


def _holds_contents(block: Block) -> bool:
    """Tell whether a table is the table of contents."""
    return block.kind == "table" and is_contents(Block(block.text.strip().partition("\n")[0]))
