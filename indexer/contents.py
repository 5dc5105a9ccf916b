"""Tables of contents that are typed like the text: numbered lines that all come again in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from indexer.numbered import parse_line

FEWEST = 3
"""Lines of a table of contents at least, its heading among them."""

TITLE = r"(?:table of )?contents"
"""What stands above a table of contents, in lower case."""

_HEADING = re.compile(rf"\W*{TITLE}\W*", re.IGNORECASE)
_PAGE = re.compile(r"\d{1,4}|[ivxlc]{1,6}")
_LEADER = re.compile(r"…|\t|[.·_\s]{2}")
"""What stands before a page: dots, a tab, or blanks."""

Entry = tuple[str, str]
"""Number and title."""


def contents_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the 0-based lines of the table of contents before a text, its heading among them.

    It is the first run of numbered lines with nothing but blank lines between them, if every one
    comes again below it with the same title.
    """
    filled = [at for at, line in enumerate(lines) if line.strip()]
    begin = next((place for place, at in enumerate(filled) if _entry(lines[at])), len(filled))
    again = _first_again(lines, filled[begin:])
    run = list(takewhile(lambda at: _entry(lines[at]), filled[begin : begin + again]))
    later = {_entry(lines[at]) for at in filled[begin + again :]}
    if not all(_entry(lines[at]) in later for at in run):
        return frozenset()
    above = filled[max(begin - 1, 0) : begin]
    headings = [at for at in above if _HEADING.fullmatch(lines[at].strip())]
    return frozenset(run + headings) if len(run) + len(headings) >= FEWEST else frozenset()


def _first_again(lines: Sequence[str], places: Sequence[int]) -> int:
    """Return how many of the places stand before the first of them comes again; 0: it does not."""
    first = _entry(lines[places[0]]) if places else None
    if first is None:
        return 0
    for count, at in enumerate(places[1:], start=1):
        if first[1] in lines[at].casefold() and _entry(lines[at]) == first:
            return count
    return 0


def _entry(line: str) -> Entry | None:
    found = parse_line(_without_page(line))
    if found is None or not found.text:
        return None
    return found.number.rstrip(".:"), " ".join(found.text.split()).casefold()


def _without_page(line: str) -> str:
    """Return a line without the page at its end and the leader before it."""
    line = line.rstrip()
    entry = line.rstrip("0123456789ivxlc")
    title = entry.rstrip(".·…_ \t")
    paged = _PAGE.fullmatch(line[len(entry) :]) and _LEADER.search(entry[len(title) :])
    return title if paged else line
