"""Tables of contents: lines that lead to a page number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from indexer.blocks import Block
from indexer.outline.headings import is_contents
from indexer.readers.pdf.lines import Line
from search.language import vocabulary

NEAR = 6
"""Lines between two entries at most: long entries take several, and pages have heads."""

_RULE = vocabulary.pattern(vocabulary.units_of("rule"))
_LEADS = re.compile(
    r"(?<![….\s])(?=[….\s]*?(?:…|(?:\.\s?){4}))[….\s]+"
    rf"(?:(?:(?:(?i:{_RULE})|§)\s?)?\d{{1,4}}[a-z]{{0,2}}|[ivxlc]{{1,6}})?$"
)
"""Dots before a page, an article or the end of a line; read once, so that no line takes long."""
_PAGE = re.compile(r"\t(?:\d{1,4}|[ivxlc]{1,6})$")


def paged_contents(lines: Sequence[Line]) -> set[int]:
    """Return the indexes of the lines of a document that are a table of contents.

    An entry leads to its page with dots, or, below a heading that says so, ends with a number after
    a wide gap. What is between two entries that are near each other belongs to them.
    """
    led = {index for index, line in enumerate(lines) if _LEADS.search(line.text)}
    entries = sorted(led.union(_below_heading(lines)))
    if len(entries) < 3:
        return set()
    found: set[int] = set()
    for before, index in pairwise(entries):
        if index - before <= NEAR:
            found.update(range(before, index + 1))
    if found:
        first = min(found)
        heading = range(max(0, first - NEAR), first)
        titled = next((i for i in heading if is_contents(Block(lines[i].text))), first)
        found.update(range(titled, first))
    return found


def _below_heading(lines: Sequence[Line]) -> list[int]:
    """Return the entries that follow a heading such as Contents, with leaders or without."""
    found: list[int] = []
    for index, line in enumerate(lines):
        if not is_contents(Block(line.text)):
            continue
        last = index
        for at in range(index + 1, len(lines)):
            if at - last > NEAR:
                break
            if _PAGE.search(lines[at].text) or _LEADS.search(lines[at].text):
                found.append(at)
                last = at
    return found
