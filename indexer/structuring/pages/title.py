"""The title of a text: what it calls itself, and no running head, form or part of a gazette."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from indexer.structuring.labels.line_labels import HEADING_WORDS
from indexer.structuring.labels.numbers import line_number
from indexer.structuring.labels.units import division_line, unit_line
from indexer.structuring.pages.line import Line
from indexer.titles import is_title
from search.language import vocabulary

_LOOKED_AT = 40
"""Lines before the first number in which a title is looked for."""
_HEADS = 3
"""Times that a running head comes again at least."""
_ACT_WORDS, _KIND_WITHIN = 60, 4
"""Words of the full name of an act at most, and those among which its kind is or which end it.
"""
_NUMBERED_ACT = re.compile(r"\b\d{1,5}[/-]\d{2,4}\b|\b(?:18|19|20)\d\d\b|\bNo\.? ?\d")


def title_line(lines: Sequence[Line], end: int) -> Line | None:
    """Return the line that is the title of a text, or None if none before its first number is.

    A heading that names an act with its number or year comes before other headings, and those
    before lines of text.
    """
    whole = [one for one in lines[: min(end, _LOOKED_AT)] if one.text and one.block is None]
    counts = Counter(one.text for one in lines)
    titled = [one for one in whole if is_title(one.text) and counts[one.text] < _HEADS]
    acts = [one for one in titled if names_act(one.text)]
    front = _front(titled)
    headings = [one for one in front if one.rank]
    outermost = [one for one in headings if one.rank == min(h.rank for h in headings)]
    first = [one for one in front[:1] if len(one.text.split()) <= HEADING_WORDS]
    for found in ([one for one in acts if one.rank], outermost, acts, first):
        if found:
            return found[0]
    return None


def _front(lines: Sequence[Line]) -> list[Line]:
    """Return what comes before the first division, without numbered lines of text."""
    found: list[Line] = []
    for line in lines:
        if unit_line(line.text) or line.attachment or division_line(line.text):
            break
        if not line_number(line.text) or line.rank:
            found.append(line)
    return found


def names_act(text: str) -> bool:
    """Return whether a line is the name of an act with its number or year, and no sentence."""
    words = [word.strip("(),").casefold() for word in text.split()]
    if not 0 < len(words) <= _ACT_WORDS or text[-1] in ".;:," or text[0].islower():
        return False
    numbered = _NUMBERED_ACT.search(text)
    before = len(text[: numbered.start()].split()) if numbered else 0
    near = {*words[:_KIND_WITHIN], *words[max(before - 1, 0) : before]}
    return numbered is not None and not near.isdisjoint(_kinds())


@cache
def _kinds() -> frozenset[str]:
    return frozenset(
        kind.casefold() for language in vocabulary.languages().values() for kind in language.acts
    )
