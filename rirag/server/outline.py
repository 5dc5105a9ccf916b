"""The contents of a document: the passages that others are below."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from search.json_form import Record
from search.records import is_unnumbered

if TYPE_CHECKING:
    from search import Passage

MOST_HEADING = 120
_COUNT = re.compile(r"\b(?:\d+[A-Z]{0,2}|[IVXLC]+)\b")
_WORD = re.compile(r"[^\W\d_]{2,} 0\Z")
"""The form of a number that is a word and a count: "Article 0"."""
_MARK = re.compile(r"[\\/](?:Table|Figure) (?:Start|End).*")
"""What encloses a table or figure in the text of a passage."""


@dataclass(slots=True)
class OutlineEntry(Record):
    """One line of the contents, with the lines below it."""

    number: str
    label: str
    """The number as the law writes it below what encloses it."""
    heading: str
    id: str
    children: list[OutlineEntry]


def outline(passages: Sequence[Passage]) -> list[OutlineEntry]:
    """Return the headings of a document and what encloses them, in order.

    Outermost passages are among them, and a section whose text is in one passage with its heading:
    by its word ("Article") if any of that word is a heading, else if most of its siblings are.
    """
    by_id = {passage.id: passage for passage in passages}
    levels = {passage.id: _level(passage) for passage in passages}
    siblings = Counter(levels.values())
    headings = Counter(levels[one.id] for one in passages if one.kind == "heading")
    named = {form for _, form in headings if _WORD.match(form)}
    wanted = {
        one.id
        for one in passages
        if one.kind == "heading"
        or 2 * headings[levels[one.id]] > siblings[levels[one.id]]
        or levels[one.id][1] in named
        or (one.parent not in by_id and one.kind != "footnote")
    }
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
        above = entries.get(passage.parent or "")
        number = passage.passage_id
        label = label_of(passage, by_id)
        entry = OutlineEntry(number, label, _title(passage, label), passage.id, [])
        entries[passage.id] = entry
        (top if above is None else above.children).append(entry)
    return top


def _level(passage: Passage) -> tuple[str | None, str]:
    """Return what siblings with numbers of one form have in common: sections 1, 2 and 3."""
    return passage.parent, _COUNT.sub("0", passage.passage_id)


def label_of(passage: Passage, by_id: Mapping[str, Passage]) -> str:
    """Return a number as the law writes it below what encloses it: "Section 1" of "Chapter III"."""
    above = by_id.get(passage.parent or "")
    own = passage.passage_id.removeprefix(f"{above.passage_id}.") if above else passage.passage_id
    is_word = above is not None and above.passage_id[:1].isalpha() and own[:1].isalpha()
    return own if is_word else passage.passage_id


def _title(passage: Passage, label: str) -> str:
    """Return the heading of an entry; empty where it says no more than the number."""
    heading = heading_of(passage)
    is_named = is_unnumbered(passage.passage_id) and not _COUNT.search(passage.passage_id)
    if heading == label or (is_named and passage.kind != "heading"):
        return ""
    return heading.removeprefix(f"{label} ")


def heading_of(passage: Passage) -> str:
    """Return the first line of a passage, cut where it is long."""
    lines = (line.strip() for line in passage.text.splitlines())
    return shortened(next((line for line in lines if line and not _MARK.fullmatch(line)), ""))


def shortened(line: str) -> str:
    """Return a line, cut where it is long."""
    if len(line) <= MOST_HEADING:
        return line
    return line[:MOST_HEADING].rpartition(" ")[0] + "…"
