"""What comes before the text itself: the title page and the table of contents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from indexer.blocks import (
    PROPERTIES,
    RUNNING_HEAD,
    TABLE_OF_CONTENTS,
    TITLE_PAGE,
    Block,
    LeftOut,
)
from indexer.control import CODE
from indexer.structuring.lines.contents import contents_lines
from indexer.structuring.outline.headings import is_contents, is_heading, is_sentence, parts, rank
from indexer.structuring.outline.labelled import begins, labelled
from indexer.titles import is_title
from search.provisions.documents.titles import KINDS, STOP_WORDS
from search.text.wording import bare_words

FRONT = 0.25
"""Part of a document within which its table of contents is looked for."""

_TITLE_LINES = 4
"""Lines of a title at most."""

_TITLE_WITHIN = 10
"""Blocks among which a paragraph of the style for titles names the document."""

_LARGER = 1.2
"""Times the usual size of letters from which a line before the text is set as a title."""

_PARTS = re.compile(r"[\t\n|]| [-–—] ")
"""What parts the name of a document from others in a running head."""


def split_front(
    blocks: Sequence[Block], left_out: Sequence[LeftOut]
) -> tuple[str, list[Block], list[LeftOut]]:
    """Return the title, the blocks of the text, and what the title page holds.

    A document that begins with a number has the title that the file gives elsewhere, or none ("");
    one with a table of contents begins after it.

    Args:
        blocks: the whole document.
        left_out: what its reader left out already; the table of contents, running heads and the
            title in the file's properties among it.
    """
    filled = [block for block in blocks if block.text.strip()]
    titled = bool(filled) and not _is_numbered(filled[0])
    named, letterhead = _named(filled[:_TITLE_WITHIN])
    opening = _opening(filled) if titled else []
    title = _joined(named or _largest(opening, filled) or next(iter(opening), None), filled)
    title = _as_elsewhere(title, opening, left_out)
    end = blocks[int(len(blocks) * FRONT)].place if blocks else 0
    end = max(end, next((block.place for block in blocks if _is_numbered(block)), 0))
    listed = [left.place for left in left_out if left.reason == TABLE_OF_CONTENTS]
    listed += [block.place for block in blocks if is_contents(block) or _holds_contents(block)]
    typed = contents_lines([f"{block.label} {block.text}".strip() for block in blocks])
    listed = [place for place in listed if place <= end] + [blocks[at].place for at in typed]
    last = max(listed, default=0) or _title_page(filled)
    last = max(last, letterhead)
    left = [LeftOut(b.text.strip(), TITLE_PAGE, b.place) for b in filled if b.place <= last]
    body = [block for block in blocks if block.place > last]
    if titled and not last and any(map(_is_numbered, filled)):
        # The title names the text right below it, and is not a heading of the numbers that follow.
        body = [replace(b, heading_level=None) if b is filled[0] else b for b in body]
    return title, body, left


def _named(first: Sequence[Block]) -> tuple[Block | None, int]:
    """Return the paragraph in the style for titles, and the place of a letterhead above it or 0.

    Where a company is in that style, the paragraph below in the style for subtitles is the title:
    `Medicines Policy (PH-07)`.
    """
    for block, below in pairwise([*first, Block("")]):
        if block.style == "title" and is_title(block.text):
            names = below.style == "subtitle" and _says_what(below.text)
            return (below, block.place) if names and not _says_what(block.text) else (block, 0)
    return None, 0


def _opening(filled: Sequence[Block]) -> list[Block]:
    """Return the paragraphs before the text that can be its title."""
    opening = takewhile(lambda block: not _is_numbered(block), filled[:_TITLE_WITHIN])
    return [one for one in opening if one.kind == "paragraph" and is_title(one.text)]


def _largest(opening: Sequence[Block], filled: Sequence[Block]) -> Block | None:
    """Return the paragraph in the largest letters, where they are larger than the text's.

    A heading is no title because it is large.
    """
    letters: Counter[int] = Counter()
    for block in filled:
        letters[block.size] += len(block.text)
    usual = letters.most_common(1)[0][0] if letters else 0
    plain = [one for one in opening if one.heading_level is None]
    largest = max((one.size for one in plain), default=0)
    set_off = usual and largest >= _LARGER * usual
    return next(one for one in plain if one.size == largest) if set_off else None


def _as_elsewhere(title: str, opening: Sequence[Block], left_out: Sequence[LeftOut]) -> str:
    """Return the title as the file's properties or running heads give it.

    They decide where the text has no title, or where its first lines hold theirs beside the one
    that looks like it, as below the name of a company.
    """
    heads = (left.text for left in left_out if left.reason == RUNNING_HEAD)
    parts = (part.strip() for head in heads for part in _PARTS.split(head))
    given = (left.text for left in left_out if left.reason == PROPERTIES)
    properties = list(filter(is_title, given))
    names = [one for one in (*properties, *filter(is_title, parts)) if _says_what(one)]
    if not title:
        return next(iter((*properties, *names)), "")
    first, own = (f" {bare_words(text)} " for text in (" ".join(b.text for b in opening), title))
    held = [one for one in names if f" {bare_words(one)} " in first]
    return max((one for one in held if bare_words(one) not in own), key=len, default=title)


def _joined(title: Block | None, filled: Sequence[Block]) -> str:
    """Return a title with the lines that it goes on with, which look alike.

    Lines in the style for titles, or larger than what is below them, are one.
    """
    if title is None:
        return ""
    at = next(at for at, block in enumerate(filled) if block is title)
    text = " ".join(title.text.split())
    below = next((one.size for one in filled[at + 1 :] if one.size != title.size), title.size)
    for block in filled[at + 1 : at + _TITLE_LINES]:
        alike = (rank(block), block.style, block.size) == (rank(title), title.style, title.size)
        shown = block.style == "title" or block.size > below
        goes_on = _goes_on(text, block.text) or (shown and is_title(block.text))
        if not alike or not goes_on or _is_numbered(block):
            break
        text = " ".join((text, *block.text.split()))
    return text


def _goes_on(text: str, below: str) -> bool:
    """Return whether a line is half a title: it ends in a link, or the next one begins small."""
    return (
        text[-1] in "-–—,:&"
        or text.rsplit(maxsplit=1)[-1].casefold() in STOP_WORDS
        or below[:1].islower()
    )


def _says_what(title: str) -> bool:
    """Return whether a title has a code, or the word of a kind of document."""
    words = {word.strip("(),.:") for word in title.split()}
    return any(map(CODE.fullmatch, words)) or not KINDS.isdisjoint(map(str.casefold, words))


def _title_page(filled: Sequence[Block]) -> int:
    """Return the last place of a title page without a table of contents; 0 where there is none.

    What comes before the first number is one up to a heading that parts the document, or as a
    whole if it has no sentence. A heading right before that number belongs to the text unless it
    looks like the title.
    """
    first = next((i for i, block in enumerate(filled) if _is_numbered(block)), 0)
    front = filled[:first]
    text = next((i for i, block in enumerate(front) if is_sentence(block.text.strip())), None)
    for before, block in pairwise(front[:text]):
        # A heading that looks like the title, with no text below it, continues the title.
        if parts(block) and (text is not None or rank(block) != rank(front[0])):
            return before.place
    if not front or text is not None:
        return 0
    if len(front) > 1 and is_heading(front[-1]) and rank(front[-1]) != rank(front[0]):
        front = front[:-1]
    return front[-1].place


def _is_numbered(block: Block) -> bool:
    one = labelled(block)
    return begins(one) or any(label.shape != "bullet" for label in one.labels)


def _holds_contents(block: Block) -> bool:
    return block.kind == "table" and is_contents(Block(block.text.strip().partition("\n")[0]))
