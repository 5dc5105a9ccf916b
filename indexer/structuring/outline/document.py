"""A document as its reader understood it: title, numbered passages, and what was left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from indexer.blocks import FOOTNOTE, TITLE_PAGE, Block, LeftOut
from indexer.control import CODE, control_fields
from indexer.structuring.labels.book_codes import titled, without_codes
from indexer.structuring.labels.joined_labels import JoinedLabels
from indexer.structuring.labels.labels import parse_label
from indexer.structuring.labels.line_labels import HEADING_WORDS
from indexer.structuring.lines.line_breaks import parted_at_numbers
from indexer.structuring.outline.front import split_front
from indexer.structuring.outline.headings import is_sentence
from indexer.structuring.outline.nodes import Node
from indexer.structuring.outline.passages import OutlinePassage, passages
from indexer.structuring.outline.tree import build_tree
from indexer.tables import CELL_MARK, table_text

_LONGEST_QUOTATION = 400
"""Blocks of a quotation at most: a mark that is never closed opens none."""

_ANNOUNCING = (":", "-", "–", "—")
_MARKS = {"“": "”", "„": "“", "«": "»"}
_STRAIGHT = '"'
_STRAIGHT_END = re.compile(r"\"[.;,]*(?: and)?$")

_FEWEST_CHAPTERS = 2
"""Chapters that it takes: in a rulebook whose rules run on, Part 1 begins with 1.1 as well."""
_MOST_CHAPTERS = 0.75
"""Share of a document's chapters that it takes: an appendix may list sections of the others."""

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
        for block in _quotations_joined(list(parted_at_numbers(blocks)))
    ]
    title, body, front = split_front(apart, left_out)
    notes = [block for block in body if block.kind == "footnote"]
    text = [block for block in body if block.kind != "footnote"]
    metadata = control_fields(block.text for block in blocks)
    own = metadata.get("code", "")
    title = titled(title, bare.code or (own if title and CODE.fullmatch(own) else ""))
    root = build_tree(text)
    if not root.children:
        root = build_tree(text, headings_open=True)
    _settle_chapters(root)
    _settle_runs(root)
    if root.children:
        opening, unused = _opening(root)
        control, front = _control(title, apart, front)
        found = (*control, *opening, *passages(root))
    else:
        found, unused = _whole(root, title), []
        title = title if any(one.number == title for one in found) else ""
    if footnotes and found:
        return Outline(title, _with_footnotes(found, notes), (*left_out, *front, *unused), metadata)
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


def _with_footnotes(
    passages: Sequence[OutlinePassage], notes: Sequence[Block]
) -> tuple[OutlinePassage, ...]:
    """Return passages with each footnote behind the one that refers to it.

    `2.1` with the fifth footnote of the document is followed by `2.1.Footnote.5`.
    """
    places = [passage.place for passage in passages]
    below: dict[int, list[OutlinePassage]] = {}
    for count, note in enumerate(notes, start=1):
        referring = max(bisect_right(places, note.place) - 1, 0)
        number = f"{passages[referring].number.rstrip('.')}.Footnote.{count}"
        below.setdefault(referring, []).append(
            OutlinePassage(number, note.text.strip(), note.place)
        )
    return tuple(
        one for at, passage in enumerate(passages) for one in (passage, *below.get(at, ()))
    )


def _settle_chapters(root: Node) -> None:
    """Mark such chapters, if nearly all of a document are."""
    chapters = [node for node in _below(root) if _is_chapter(node) and _dotted(node)]
    leading = [chapter for chapter in chapters if _leads(chapter)]
    if len(leading) >= max(_FEWEST_CHAPTERS, _MOST_CHAPTERS * len(chapters)):
        for chapter in leading:
            chapter.leads = True


def _settle_runs(root: Node) -> None:
    """Mark the numbers below lettered chapters as whole where they run on through all of those."""
    lettered = [one for one in root.children if one.label and one.label.capital]
    runs = [[child for child in one.children if _is_integer(child)] for one in lettered]
    numbers = [child.label for run in runs for child in run if child.label]
    if not all(runs) or len(runs) < _FEWEST_CHAPTERS or not numbers[0].first:
        return
    if all(other.follows(one) for one, other in pairwise(numbers)):
        for child in (child for run in runs for child in run):
            child.unit = True


def _is_integer(node: Node) -> bool:
    return node.label is not None and node.label.shape == "integer"


def _below(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield child
        yield from _below(child)


def _is_chapter(node: Node) -> bool:
    return node.label is not None and node.label.shape == "division" and node.label.core.isdigit()


def _leads(chapter: Node) -> bool:
    own = chapter.label.core if chapter.label else ""
    return _dotted(chapter)[0].partition(".")[0] == own


def _dotted(node: Node) -> list[str]:
    labels = [child.label for child in node.children if child.label]
    return [label.text for label in labels if label.shape == "dotted"]


def _quotations_joined(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks in which each quoted provision is one block of text, its parts as lines.

    It begins with a mark and a number (`“(2) A company …`), or below a colon or a dash, and ends
    with the closing mark. Some repeat the opening mark before each part and close it once.
    """
    found: list[Block] = []
    at = 0
    while at < len(blocks):
        end = _end_of_quotation(blocks, at)
        if end is None:
            found.append(blocks[at])
            at += 1
        else:
            text = "\n".join(_shown(block) for block in blocks[at:end])
            found.append(replace(blocks[at], text=text, label="", bold=False, heading_level=None))
            at = end
    return found


def _end_of_quotation(blocks: Sequence[Block], start: int) -> int | None:
    """Return the place after a quotation that begins at a block, or None where none does."""
    text = _shown(blocks[start])
    closing = _MARKS.get(text[:1])
    straight = text.startswith(_STRAIGHT) and text.count(_STRAIGHT) % 2 == 1
    announced = start > 0 and _shown(blocks[start - 1]).endswith(_ANNOUNCING)
    if not (closing or straight) or not (announced or parse_label(text[1:], heading=True)):
        return None
    opening, balance = text[0], 0
    for at in range(start, min(start + _LONGEST_QUOTATION, len(blocks))):
        line = _shown(blocks[at])
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


def _shown(block: Block) -> str:
    return f"{block.label} {block.text}".strip()
