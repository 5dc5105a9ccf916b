"""Laws as plain text and Markdown: units that run through a text, and documents with headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from indexer.blocks import LeftOut
from indexer.control import control_fields
from indexer.readers.text.markup import (
    TextLine,
    has_no_room,
    running_heads,
    without_marks,
    wrapped_at,
)
from indexer.structuring.acts.eu_titles import own_title, short_title
from indexer.structuring.acts.provisions import Act
from indexer.structuring.labels.book_codes import titled
from indexer.structuring.labels.eu_numbers import is_label
from indexer.structuring.labels.labels import line_label, parse_label
from indexer.structuring.labels.line_labels import CITED
from indexer.structuring.labels.numbers import heading_number, line_number, titles_attachment
from indexer.structuring.labels.units import MARKED, UnitLine, division_line, marked_line, unit_line
from indexer.structuring.pages.line import Line, control_text
from indexer.structuring.pages.title import title_line
from indexer.structuring.pages.tree import PageTree
from indexer.structuring.units.series import Numbers
from indexer.tables import table_text
from search.provisions.numbering import segments

TITLE = "title of the document"
REPEATED = "number that the heading above has too"
"""Reasons why words are in no passage."""

FENCE_MARKS = ("\\", "/")
"""What the line before a fenced table begins with."""
TITLE_WORDS = 6
"""A line of more words is not a title: `Prescribed regulations` is one, and cites nothing."""
STOPS = (".", ";", ":", ",", "; and", "; or", "—")
_WIDEST = 120
"""Characters of a line that somebody broke at most."""
_FEW = 2
"""Units of a law, or headings that part a text, at least; one may be that of the document."""
_FEWEST_HEADINGS = 3
"""Headings, that of the document among them, from which numbers below them may be lists."""
_SUBSECTION = re.compile(r"^(?:\d{1,4}[A-Z]{0,2}\.? )?\(1\)")
_FULL_NUMBER = re.compile(r"[A-Z]?\d+\.\d")


@dataclass(frozen=True)
class LawText:
    """The paragraphs of a text, as lines of a page, and what is in none of them."""

    lines: list[Line]
    left_out: list[LeftOut]
    numbers: Numbers
    """At the beginnings of the lines."""

    @property
    def units(self) -> Mapping[int, UnitLine]:
        """Place in `lines` → the unit that counts on there."""
        return self.numbers.units

    @property
    def counted(self) -> dict[int, int]:
        """Places in the source of numbers that count on through the text, with their words."""
        return {self.lines[at].place: words for at, words in self.numbers.counted().items()}

    @cached_property
    def is_law(self) -> bool:
        """Whether articles, sections or controls number the text, more than full numbers do."""
        bare = all(unit.form == MARKED for unit in self.units.values())
        others = sum(
            (bare or at not in self.units) and _is_full_number(line.text)
            for at, line in enumerate(self.lines)
        )
        if bare and not any(_SUBSECTION.search(line.text) for line in self.lines):
            return False
        return len(self.units) >= max(_FEW, others)

    @property
    def is_headed(self) -> bool:
        """Whether headings alone part the text, and the only numbers are those of lists below them.

        Each list begins at 1; a single one has a heading without numbers after it.
        """
        if self.is_law or any(line.rank and line_number(line.text) for line in self.lines):
            return False
        lists: list[list[str]] = []
        for line in self.lines:
            if line.rank:
                lists.append([])
            elif found := line_label(line.text):
                number = found[0].rstrip(".)")
                if not lists or not number.isdigit():
                    return False
                lists[-1].append(number)
        numbered = [one for one in lists if one]
        begun = all(one[0] == "1" for one in numbered)
        return begun and len(lists) >= _FEWEST_HEADINGS and (len(numbered) != 1 or not lists[-1])

    @property
    def is_divided(self) -> bool:
        """Whether headings without a number part rules whose numbers say their whole place."""
        pairs = pairwise(line for line in self.lines if line.text)
        headings = [
            above.text for above, below in pairs if above.rank and _is_full_number(below.text)
        ]
        return sum(heading_number(text) is None for text in headings) >= _FEW

    def act(self, document_id: str, given_title: str, code: str) -> Act:
        """Return the act that the lines are.

        Args:
            document_id: of the document.
            given_title: what the file says of itself; empty for the title that is in the text.
            code: of the book before its numbers, or "".
        """
        act = Act(document_id, given_title, left_out=list(self.left_out))
        end = min(self.units, default=len(self.lines))
        lines, title = self.lines, title_line(self.lines, end)
        if title is not None:
            behind = (line.text for line in lines[lines.index(title) + 1 :])
            lines = [line for line in lines if line is not title]
            own = own_title(short_title(title.text, behind), (line.text for line in lines))
            act.title = given_title or titled(own, code)
            act.leave_out(title.text, TITLE)
        act.metadata.update(control_fields(map(control_text, self.lines[:end])))
        PageTree(act, headed=self.is_headed).build(lines)
        return act


def law_text(
    lines: Sequence[str], fenced: frozenset[int], place_of: Callable[[int], int]
) -> LawText:
    """Return the paragraphs of a text.

    Args:
        lines: of the text.
        fenced: 0-based places of lines inside a fence.
        place_of: returns the 1-based line of the file of a 0-based place.
    """
    left_out: list[LeftOut] = []
    read = [
        TextLine(line) if at in fenced else without_marks(line, place_of(at), left_out)
        for at, line in enumerate(lines)
    ]
    for at in running_heads([one.text for one in read], left_out, place_of):
        read[at] = TextLine("")
    free = [_shown(one) for at, one in enumerate(read) if at not in fenced]
    width = wrapped_at([line for line in free if len(line) <= _WIDEST])

    def apart(at: int) -> bool:
        return place_of(at) != place_of(at - 1)

    found: list[Line] = []
    above: TextLine | None = None
    tables: list[tuple[Line, list[Sequence[str]]]] = []
    for at, one in enumerate(read):
        if at in fenced and found and found[-1].block is not None:
            found[-1].block = f"{found[-1].block}\n{one.text}"
        elif at in fenced or (at + 1 in fenced and one.text[:1] in FENCE_MARKS):
            found.append(Line(block=one.text, place=place_of(at)))
        elif one.cells:
            if above is None or not above.cells:
                found.append(Line(block="", place=place_of(at)))
                tables.append((found[-1], []))
            tables[-1][1].append(one.cells)
        elif one.text and above and apart(at) and _goes_on(found[-1], above, one, width):
            found[-1].text += f" {one.text}"
        elif one.text:
            found.append(_line(one, place_of(at)))
        above = _above(one, above) if at not in fenced else None
    for line, rows in tables:
        line.block = table_text(rows)
    _number_once(found, left_out)
    marked = {at for at, line in enumerate(found) if line.marked}
    return LawText(found, left_out, Numbers([line.text for line in found], marked))


def _above(one: TextLine, before: TextLine | None) -> TextLine | None:
    """Return what is above the next line; the ruler below the head of a table is nothing."""
    if one.text:
        return one
    return before if before is not None and before.cells and one.ruler else None


def _line(one: TextLine, place: int) -> Line:
    return Line(
        one.text, one.rank, label=is_label(one.text), marked=one.marked,
        attachment=not one.rank and titles_attachment(one.text), indent=one.indent, place=place,
    )  # fmt: skip


def _goes_on(paragraph: Line, above: TextLine, line: TextLine, width: int | None) -> bool:
    """Return whether a line continues the paragraph that ends right above it."""
    if above.cells or above.rank or line.rank or line.bullet or "\t" in line.text:
        return False
    unit = unit_line(paragraph.text)
    if paragraph.label or (unit is not None and not unit.text):
        return False
    full = width is not None and has_no_room(_shown(above), line.text, width)
    if _cites(above.text, line.text) or (full and not above.text.endswith(STOPS)):
        return True
    if line_number(line.text) or unit_line(line.text) or division_line(line.text):
        return False
    return full or (width is not None and line.text[0].islower())


def _cites(above: str, line: str) -> bool:
    """Return whether a line begins with what the sentence above it cites; titles cite nothing."""
    label, rest = parse_label(above) or (None, above)
    if len(rest.split()) <= TITLE_WORDS and (label is None or label.shape != "bracket"):
        return False
    number, text = parse_label(line) or (None, line)
    alone = number is not None and number.shape == "dotted" and not text
    return CITED.search(above) is not None or (alone and above[-1] == ",")


def _shown(line: TextLine) -> str:
    return " " * line.indent + line.text


def _number_once(lines: Sequence[Line], left_out: list[LeftOut]) -> None:
    """Take the number away from a paragraph below a heading that has it: `5. Fees`, `5. (1) A`.

    Where headings number the units, no bold number does.
    """
    last = ""
    headings = sum(line.rank > 0 and marked_line(line.text) is not None for line in lines)
    for line in lines:
        found = marked_line(line.text) if line.marked else None
        if line.rank:
            last = found.number if found else ""
        elif found is not None and found.number == last and found.text:
            left_out.append(LeftOut(found.label, REPEATED, line.place))
            line.text, line.marked, last = found.text, False, ""
        elif headings >= _FEW and found is not None and found.form == MARKED:
            line.marked = False


def _is_full_number(text: str) -> bool:
    """Return whether a line begins with a number that says its whole place: `3.5.8`, `PART 1.2`."""
    if not _FULL_NUMBER.match(text):
        return False
    found = line_label(text)
    return found is not None and len(segments(found[0])) > 1
