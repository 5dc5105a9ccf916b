"""Provisions within a provision that people look for by their own number.

Sections that an act quotes in order to insert them into another act (`“SEC. 1176. …`), below the
one that quotes them: `Section 262(a).Section 1176`; and paragraphs whose whole number is on a line
of its own: `4.7.1` below `4.7 Principle 7`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.structuring.acts.provisions import Provision
from indexer.structuring.labels.units import UnitLine, division_line, is_title, unit_line
from search.language import vocabulary

_DOTTED = re.compile(r"(\d{1,3}(?:\.\d{1,3})+)\.?\s+(?=\S)")
_FEWEST_DOTTED = 2

FEWEST_WORDS = 25
"""Of a quoted section on one line: a shorter line may be that of a table of contents."""
MOST_LINES = 400
"""Of a quoted section: a mark that is never closed ends nothing."""

_OPENING = re.compile(r"(?:''|``|[\"“„«])\s*(?=\S)")
_CLOSED = re.compile(r"(?:''|[\"”“»])[.;,]?(?: and)?$")
_WORD = re.compile(
    rf"(?:{vocabulary.pattern(['article', 'section', 'rule'])}|§)\W{{0,2}}\s?\d", re.IGNORECASE
)


def set_quoted_apart(provision: Provision) -> None:
    """Give each section that a provision quotes a provision of its own below it."""
    for child in provision.children():
        set_quoted_apart(child)
    parts = provision.parts
    found = {at: unit for at, part in enumerate(parts) if (unit := _quoted_unit(part))}
    ends = {at: _end(parts, at, found) for at in found}
    whole = [at for at, end in ends.items() if _is_text(parts[at:end])]
    if 2 * len(whole) < len(found):
        return  # a table of contents
    limit = len(parts)
    for at in reversed(whole):
        start, end = _with_title(parts, at, found), min(ends[at], limit)
        parts[start:end] = [Provision("section", f".{found[at].number}", parts=parts[start:end])]
        limit = start


def _quoted_unit(part: str | Provision) -> UnitLine | None:
    """Return the section that a text opens behind a quotation mark."""
    opened = _OPENING.match(part) if isinstance(part, str) else None
    if opened is None or not isinstance(part, str):
        return None
    text = part[opened.end() :]
    return unit_line(text.partition("\n")[0]) if _WORD.match(text) else None


def _end(parts: Sequence[str | Provision], at: int, found: dict[int, UnitLine]) -> int:
    """Return the place behind a quoted section: where it is closed, or before what follows it."""
    end = at
    while end < min(len(parts), at + MOST_LINES):
        part = parts[end]
        if not isinstance(part, str) or (end > at and end in found):
            break
        end += 1
        if _CLOSED.search(part.rstrip()):
            return end
    while end > at + 1 and _heads(parts[end - 1]):
        end -= 1
    return end


def _with_title(parts: Sequence[str | Provision], at: int, found: dict[int, UnitLine]) -> int:
    """Return where a section begins whose title is quoted above it."""
    for start in (at - 1, at - 2):
        if start < 0 or start in found or not isinstance(parts[start], str):
            break
        if _heads(parts[start]):
            return at if division_line(_bare(str(parts[start]))) else start
    return at


def _heads(part: str | Provision) -> bool:
    """Return whether a text is a quoted heading: no sentence, and most of it in capitals."""
    if not isinstance(part, str) or not _OPENING.match(part):
        return False
    bare = _bare(part)
    return division_line(bare) is not None or (bare.isupper() and is_title(bare))


def _bare(text: str) -> str:
    return _OPENING.sub("", text, count=1)


def _is_text(parts: Sequence[str | Provision]) -> bool:
    """Return whether a quoted section has more than the title that a table of contents has."""
    words = sum(len(part.split()) for part in parts if isinstance(part, str))
    return len(parts) > 1 or words >= FEWEST_WORDS


def dotted_heading(heading: str) -> str:
    """Return the whole number that a heading begins with, or ""."""
    found = _DOTTED.match(heading)
    return found[1] if found else ""


def set_dotted_apart(provision: Provision) -> None:
    """Give each paragraph whose number counts on below that of a heading a provision of its own."""
    for child in provision.children():
        set_dotted_apart(child)
    number = provision.number.removeprefix(".")
    if provision.level != "section" or dotted_heading(provision.heading) != number or not number:
        return
    starts = _dotted_starts(provision.parts, number)
    if len(starts) < _FEWEST_DOTTED:
        return
    ends = [*starts[1:], len(provision.parts)]
    paragraphs = [
        Provision("section", f".{count}", parts=provision.parts[start:end])
        for count, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
    ]
    provision.parts[starts[0] :] = paragraphs


def _dotted_starts(parts: Sequence[str | Provision], number: str) -> list[int]:
    """Return the places of `4.7.1`, `4.7.2` and so on, up to the first that is missing."""
    starts: list[int] = []
    for at, part in enumerate(parts):
        if isinstance(part, str) and part.strip(" .") == f"{number}.{len(starts) + 1}":
            starts.append(at)
    return starts
