"""A document as its reader understood it: title, numbered passages, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from indexer.blocks import FOOTNOTE, TITLE_PAGE, Block, LeftOut
from indexer.control import CODE, control_fields
from indexer.outline.chapters import settle_chapters, settle_runs
from indexer.outline.footnotes import with_footnotes
from indexer.outline.front import split_front
from indexer.outline.guidance import settle_guidance
from indexer.outline.headings import is_sentence
from indexer.outline.line_breaks import parted_at_numbers
from indexer.outline.nodes import Node
from indexer.outline.passages import OutlinePassage, passages
from indexer.outline.quotations import quotations_joined
from indexer.outline.tree import build_tree
from indexer.outline.worded import with_worded_labels
from indexer.structuring.book_codes import titled, without_codes
from indexer.structuring.joined_labels import JoinedLabels
from indexer.structuring.line_labels import HEADING_WORDS
from indexer.tables import CELL_MARK, table_text

PREAMBLE = "Preamble"
"""The number of what comes before the first number in a document without a title."""

WHOLE = "Text"
"""The number of the one passage of a document without numbers, headings and a title."""

FEWEST_WORDS = 8
"""Words of a paragraph that make a text without numbers and headings a document: fewer are a
note."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a document holds; every word of it is in one passage or among what was left out."""

    title: str
    passages: tuple[OutlinePassage, ...]
    left_out: tuple[LeftOut, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What its control table says."""


def outline(
    blocks: Sequence[Block], left_out: Sequence[LeftOut] = (), *, footnotes: bool = False
) -> Outline:
    """Work out the numbers of a document.

    Args:
        blocks: the document in reading order.
        left_out: what its reader left out already.
        footnotes: whether each is a passage below the one that refers to it; else they are left
            out.
    """
    bare = without_codes([block.text for block in blocks])
    blocks = [replace(block, text=text) for block, text in zip(blocks, bare.texts, strict=True)]
    left_out = (*left_out, *bare.left_out(lambda at: blocks[at].place))
    joined = JoinedLabels()
    apart = [
        block if block.label else replace(block, text=joined.apart(block.text))
        for block in quotations_joined(list(parted_at_numbers(blocks)))
    ]
    title, body, front = split_front(with_worded_labels(apart), left_out)
    notes = [block for block in body if block.kind == "footnote"]
    text = [block for block in body if block.kind != "footnote"]
    metadata = control_fields(block.text for block in blocks)
    own = metadata.get("code", "")
    title = titled(title, bare.code or (own if title and CODE.fullmatch(own) else ""))
    root = build_tree(text)
    if not root.children:
        root = build_tree(text, headings_open=True)
    settle_guidance(root)
    settle_chapters(root)
    settle_runs(root)
    if root.children:
        opening, unused = _opening(root)
        control, front = _control(title, apart, front)
        found = (*control, *opening, *passages(root))
    else:
        found, unused = _whole(root, title), []
        title = title if any(one.number == title for one in found) else ""
    if footnotes and found:
        return Outline(title, with_footnotes(found, notes), (*left_out, *front, *unused), metadata)
    left = (LeftOut(note.text.strip(), FOOTNOTE, note.place) for note in notes)
    return Outline(title, found, (*left_out, *front, *unused, *left), metadata)


def _control(
    title: str, blocks: Sequence[Block], front: list[LeftOut]
) -> tuple[list[OutlinePassage], list[LeftOut]]:
    """Return what a title page says of the document's owner and version, and the rest of it."""
    places = {left.place for left in front if left.reason == TITLE_PAGE}
    said = {b.place: b for b in blocks if b.place in places and control_fields([b.text])}
    if not title or not said:
        return [], front
    rows = {
        place: (row.split(CELL_MARK) for row in b.text.split("\n")) for place, b in said.items()
    }
    texts = (table_text(rows[place]) if b.kind == "table" else b.text for place, b in said.items())
    passage = OutlinePassage(title, "\n".join(texts), min(said))
    return [passage], [left for left in front if left.place not in said]


def _whole(root: Node, title: str) -> tuple[OutlinePassage, ...]:
    """Return prose without numbers and headings as one passage; a few words are none."""
    lines = [" ".join(line.split()) for line in root.lines if line.strip()]
    named = len(title.split()) <= HEADING_WORDS and not is_sentence(title)
    titled = named and lines[:1] == [title]
    text = lines[1:] if titled else lines
    if not any(len(line.split()) >= FEWEST_WORDS for line in text):
        return ()
    return (OutlinePassage(title if titled else WHOLE, "\n".join(text), 1),)


def _opening(root: Node) -> tuple[list[OutlinePassage], list[LeftOut]]:
    """Return what comes before the first number: a preamble, or the end of a title page.

    A preamble has at least one sentence; its own first line names it.
    """
    lines = root.lines
    if not any(len(line.split()) > HEADING_WORDS or is_sentence(line.strip()) for line in lines):
        return [], [LeftOut(line, TITLE_PAGE, root.place) for line in lines]
    titled = len(lines[0].split()) <= HEADING_WORDS
    number = " ".join(lines[0].split()) if titled else PREAMBLE
    return [OutlinePassage(number, "\n".join(lines[titled:]), 1)], []
