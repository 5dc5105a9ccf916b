"""Texts whose lines were broken at a border, as editors and mail break them.

A line continues in the next one where the first word of that had no room. This tells nothing in a
text whose paragraphs are in a line each, nor of a title, an address or a form, which do not end
as a sentence does; of those, the breaks stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from indexer.structuring.labels.labels import line_label, parse_label
from indexer.structuring.labels.line_labels import CITED, markdown_heading
from search.text.analyzer import FUNCTION_WORDS

_USUAL, _RAGGED, _FULL = 0.9, 12, 0.2
"""In a text whose lines were broken nine in ten keep to a border (rows of tables need not), and one
in five ends at most so many characters before it."""
_NARROWEST = 50
"""Characters: lines of fewer are short for other reasons."""
_FEW = 3
"""One long line before another may be chance; as many are a habit."""
_STOP = re.compile(r"(?:[.:;!?][\"'”’)\]*_]*|[;,]\s(?:and|or))$")
"""How a sentence or an item of a list ends."""
_BREAK = re.compile(r"(?:\s\s|\\)$")
"""How Markdown ends a line that is meant to end there."""
_WORDS = re.compile(r"[\"'“‘(\[£$€¥*_]{0,4}[^\W_]")
"""What prose continues with; items, rows, rules and blanks to fill in begin in other ways."""
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_COLUMNS = re.compile(r"\||\t|\s{3}|_{3}|\.{4}")
"""What is in rows and forms, and not within a sentence."""


def wrapped_at(lines: Sequence[str]) -> int | None:
    """Return the width at which the lines of a text were broken, or None where paragraphs are."""
    lengths = sorted(_width(line) for line in lines if line.strip())
    width = lengths[int(len(lengths) * _USUAL)] if lengths else 0
    if width < _NARROWEST:
        return None
    full = sum(width - _RAGGED <= length <= width for length in lengths)
    return width if full >= _FULL * len(lengths) else None


def has_no_room(above: str, line: str, width: int) -> bool:
    """Return whether the first word of a line had no room at the end of the line above it."""
    first = line.strip().expandtabs(1).partition(" ")[0]  # no line is broken at a hard space
    return _width(above) + 1 + len(first) > width


def continuations(lines: Sequence[str], fenced: frozenset[int]) -> frozenset[int]:
    """Return the 0-based places of lines that a border parts from the sentence before them.

    Args:
        lines: the text.
        fenced: 0-based places of lines inside a fence.
    """
    # Nobody knows how wide a tab was to who broke the lines.
    free = [line for place, line in enumerate(lines) if place not in fenced and "\t" not in line]
    width = wrapped_at(free)
    if width is None:
        return frozenset()
    found, ends = [], False
    for place in range(len(lines) - 1, 0, -1):
        above, line = lines[place - 1], lines[place]
        goes_on = fenced.isdisjoint((place - 1, place)) and _goes_on(above, line, width)
        ends = ends or _STOP.search(line.rstrip()) is not None
        if goes_on and ends:
            found.append(place)
        ends = ends and (goes_on or _may_go_on(above, line, width))
    return frozenset(found) if len(found) >= _FEW else frozenset()


def joined(lines: Iterable[tuple[int, str]], going_on: frozenset[int]) -> str:
    """Return lines as one text, in which those that continue the line above are beside it.

    Args:
        lines: each with its place.
        going_on: as `continuations` returns them.
    """
    pieces = (f" {line.strip()}" if at in going_on else f"\n{line}" for at, line in lines)
    return "".join(pieces)[1:]


def _goes_on(above: str, line: str, width: int) -> bool:
    if not above.strip() or not _WORDS.match(line.strip()) or not has_no_room(above, line, width):
        return False
    if _STOP.search(above.rstrip()) or _BREAK.search(above) or markdown_heading(above) is not None:
        return False
    if _begins_sentence(line.strip()):
        return False
    if any(_COLUMNS.search(text) for text in (_own_text(above), line.strip())):
        return False
    return parse_label(line) is None or CITED.search(above.rstrip()) is not None


def _begins_sentence(line: str) -> bool:
    """Return whether a line begins with a word that is capitalised only at a sentence start."""
    found = _FIRST_WORD.match(line)
    return found is not None and found[0].istitle() and found[0].lower() in FUNCTION_WORDS


def _may_go_on(above: str, line: str, width: int) -> bool:
    """Return whether a line may continue the paragraph above, whose end shows if it is prose."""
    if not above.strip() or not line.strip():
        return False
    return line.strip()[0].islower() or _width(above) >= width - _RAGGED


def _own_text(line: str) -> str:
    """Return a line without its number or label."""
    found = line_label(line) or parse_label(line)
    return found[1] if found else line.strip()


def _width(line: str) -> int:
    return len(line.expandtabs().rstrip())
