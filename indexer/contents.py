"""Tables of contents that are typed like the text: numbered lines that all come again in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from indexer.numbered import parse_line

FEWEST = 3
"""Lines of a table of contents at least, its heading among them."""

_HEADING = re.compile(r"(?:#+\s*)?\W*(?:table of )?contents\W*", re.IGNORECASE)
_PAGE = re.compile(r"(?:\s*(?:[.·_]{2,}|…+)\s*|\t+\s*|\s{2,})(?:\d{1,4}|[ivxlc]{1,6})\s*$")
"""Leader dots, a tab or blanks, and the page."""

Entry = tuple[str, str]
"""Number and title."""


def contents_lines(lines: Sequence[str]) -> frozenset[int]:
    """Return the 0-based lines of the table of contents before a text, its heading among them.

    It is the first run of numbered lines with nothing but blank lines between them of which every
    one comes again below it with the same title.
    """
    filled = [at for at, line in enumerate(lines) if line.strip()]
    entries = {at: entry for at in filled if (entry := _entry(lines[at]))}
    begin = next((place for place, at in enumerate(filled) if at in entries), len(filled))
    later = Counter(entries.values())
    run: list[int] = []
    for at in filled[begin:]:
        entry = entries.get(at)
        later.subtract([entry] if entry else ())
        if entry is None or not later[entry]:
            break
        run.append(at)
    headings = [
        at for at in filled[max(begin - 1, 0) : begin] if _HEADING.fullmatch(lines[at].strip())
    ]
    return frozenset(run + headings) if len(run) + len(headings) >= FEWEST else frozenset()


def _entry(line: str) -> Entry | None:
    found = parse_line(_PAGE.sub("", line))
    if found is None or not found.text:
        return None
    return found.number.rstrip(".:"), " ".join(found.text.split()).casefold()
