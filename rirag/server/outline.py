"""The contents of a document: the passages that others are below."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from search.json_form import Record
from search.records import is_unnumbered

if TYPE_CHECKING:
    from search import Passage

MOST_HEADING = 120
_COUNT = re.compile(r"\b(?:\d+[A-Z]{0,2}|[IVXLC]+)\b")
_MARK = re.compile(r"[\\/](?:Table|Figure) (?:Start|End).*")
"""What encloses a table or figure in the text of a passage."""


@dataclass(slots=True)
class OutlineEntry(Record):
    """One line of the contents, with the lines below it."""

    number: str
    heading: str
    id: str
    children: list[OutlineEntry]


def outline(passages: Sequence[Passage]) -> list[OutlineEntry]:
    """Return the headings of a document and what encloses them, in order.

    A section whose text is in one passage with its heading is among them if most of its siblings
    are headings. A document without headings has its outermost passages as contents.
    """
    by_id = {passage.id: passage for passage in passages}
    levels = {passage.id: _level(passage) for passage in passages}
    siblings = Counter(levels.values())
    headings = Counter(levels[one.id] for one in passages if one.kind == "heading")
    wanted = {
        one.id
        for one in passages
        if one.kind == "heading" or 2 * headings[levels[one.id]] > siblings[levels[one.id]]
    }
    if not wanted:
        wanted = {passage.id for passage in passages if passage.parent not in by_id}
    for passage in passages:
        if passage.id in wanted:
            parent = passage.parent
            while parent in by_id and parent not in wanted:
                wanted.add(parent)
                parent = by_id[parent].parent
    entries: dict[str, OutlineEntry] = {}
    top: list[OutlineEntry] = []
    for passage in passages:
        if passage.id not in wanted:
            continue
        heading = "" if is_unnumbered(passage.passage_id) else heading_of(passage)
        entry = OutlineEntry(passage.passage_id, heading, passage.id, [])
        entries[passage.id] = entry
        above = entries.get(passage.parent or "")
        (top if above is None else above.children).append(entry)
    return top


def _level(passage: Passage) -> tuple[str | None, str]:
    """Return what siblings with numbers of one form have in common: sections 1, 2 and 3."""
    return passage.parent, _COUNT.sub("0", passage.passage_id)


def heading_of(passage: Passage) -> str:
    """Return the first line of a passage, cut where it is long."""
    lines = (line.strip() for line in passage.text.splitlines())
    return shortened(next((line for line in lines if line and not _MARK.fullmatch(line)), ""))


def shortened(line: str) -> str:
    """Return a line, cut where it is long."""
    if len(line) <= MOST_HEADING:
        return line
    return line[:MOST_HEADING].rpartition(" ")[0] + "…"
