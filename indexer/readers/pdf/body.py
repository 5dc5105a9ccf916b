"""The pages of a PDF as the blocks of one document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from indexer.blocks import RUNNING_HEAD, STRUCK, TABLE_OF_CONTENTS, TITLE_PAGE, Block, LeftOut
from indexer.readers.pdf.drawn.pages import Box
from indexer.readers.pdf.hyphens import Vocabulary
from indexer.readers.pdf.layout import Sheet, placed
from indexer.readers.pdf.lines import Line, usual_size
from indexer.readers.pdf.margins import (
    Footnote,
    is_page_number,
    margin_lines,
    paged_contents,
    split_footnotes,
)
from indexer.readers.pdf.paragraphs import paragraphs, text_of, usual_leading
from indexer.readers.pdf.stops import lists, with_tabs
from indexer.readers.pdf.tables import Table, goes_on, table_text
from indexer.structuring.labels.joined_labels import is_joined
from indexer.structuring.labels.labels import automatic_label, parse_label
from indexer.structuring.labels.order import follows
from indexer.structuring.outline.headings import LONGEST
from indexer.titles import is_title

FEWEST = 3
"""Raised figures before a line that may number paragraphs; fewer are marks of notes."""
COUNT_ON = 0.75
"""Share of them that are at least 1 or come after the one before."""

LEAST_PICTURE = 36.0
"""Points that a picture is wide and high at least: smaller ones are ornaments."""
REPEATED = 3
"""Pictures of the same size from which they belong to the paper, not to the text."""


class Picture(NamedTuple):
    """A picture of the text."""

    page: int


Piece = Line | Picture | tuple[Table, int]
"""A line, a picture, or a table and its page."""

MOST_LINES = 40
"""Lines of a title page at most."""
SET_OFF = 0.5
"""Share of its lines that are at least of another size than the text, bold or centred."""

LARGER = 1.12
"""Times the font size of the text from which larger print is a heading."""

PAGE_NUMBER = "page number"
NOTE_MARK = "mark of a footnote"
TURNED = "text across the page"
SIDE_NOTE = "note in the margin beside no number"
ILLEGIBLE = "letters of a font that does not say which they are"
PICTURED = "pages that are images without text"
"""Reasons for which words of a PDF are in no passage, besides those of all documents."""

NAMED = 5
"""Pages that are named where they hold no text."""

TWIPS = 20
"""Twentieths of a point in a point."""


@dataclass(frozen=True, slots=True)
class Body:
    """A document as blocks."""

    blocks: list[Block]
    left_out: list[LeftOut]
    pages: list[int]
    """The page of each place; that of place 1 comes first."""


def body_of(sheets: Sequence[Sheet]) -> Body:
    """Return the blocks of a document, and what is in none of them.

    Args:
        sheets: its pages, as they were laid out.
    """
    inner, margins = _without_margins(sheets)
    usual = usual_size(line for sheet in inner for line in sheet.lines)
    text: list[Sheet] = []
    notes: dict[int, list[Footnote]] = {}
    for sheet in placed(inner):
        lines, notes[sheet.number] = split_footnotes(sheet.lines, usual, sheet.height)
        text.append(replace(sheet, lines=tuple(lines)))
    text, marks = _without_marks(with_raised_numbers(text), notes)
    text = with_tabs(text)
    builder = _Builder(text, usual, notes)
    if len(text) > 1 and is_title_page(text[0].lines, usual):
        heads = [line.text for lines in margins.values() for line in lines]
        builder.take_title_page(text[0], heads)
        text[0] = replace(text[0], lines=(), images=())
    for sheet in sheets:
        builder.leave_out_of(sheet, margins[sheet.number], marks[sheet.number])
    builder.leave_out_pictures([sheet.number for sheet in sheets if sheet.pictured])
    builder.read(flow(text))
    return builder.body


def _without_marks(
    sheets: Sequence[Sheet], notes: Mapping[int, Sequence[Footnote]]
) -> tuple[list[Sheet], dict[int, list[str]]]:
    """Return the pages without the marks of footnotes, and those of each page.

    A mark after a digit is one only where its footnote is on the same page.
    """
    everywhere = {note.mark for some in notes.values() for note in some}
    found: list[Sheet] = []
    marks: dict[int, list[str]] = {}
    for sheet in sheets:
        here = {note.mark for note in notes[sheet.number]}
        lines, marks[sheet.number] = [], []
        for line in sheet.lines:
            dropped = [m for _, m in line.marks if m.strip("()") in here]
            dropped += [m for m in line.marks_of(everywhere) if m not in dropped]
            marks[sheet.number] += [m for _, m in line.marks if m in dropped]
            lines.append(line.with_marks(dropped))
        found.append(replace(sheet, lines=tuple(lines)))
    return found, marks


def _without_margins(sheets: Sequence[Sheet]) -> tuple[list[Sheet], dict[int, list[Line]]]:
    taken = margin_lines([sheet.lines for sheet in sheets], [sheet.height for sheet in sheets])
    inner, margins = [], {}
    for sheet, heads in zip(sheets, taken, strict=True):
        lines = [line.with_marks() for at, line in enumerate(sheet.lines) if at in heads]
        margins[sheet.number] = lines
        kept = tuple(line for at, line in enumerate(sheet.lines) if at not in heads)
        inner.append(replace(sheet, lines=kept))
    return inner, margins


class _Builder:
    """Puts blocks one after the other."""

    def __init__(
        self, sheets: Sequence[Sheet], usual: float, notes: dict[int, list[Footnote]]
    ) -> None:
        lines = [line for sheet in sheets for line in sheet.lines]
        self.body = Body([], [], [])
        self._contents = {id(lines[index]) for index in paged_contents(lines)}
        self._leading = usual_leading(lines)
        self._vocabulary = Vocabulary(line.text for line in lines)
        self._lists = lists(lines)
        self._levels = heading_levels(lines, usual)
        self._notes = notes
        self._lines: list[Line] = []
        self._table: tuple[Table, int, str] | None = None

    def leave_out_of(self, sheet: Sheet, margin: Sequence[Line], marks: Sequence[str]) -> None:
        """Note what of a page is not read."""
        for line in margin:
            reason = PAGE_NUMBER if is_page_number(line.text) else RUNNING_HEAD
            self._leave_out(_with_note(line), reason, sheet.number)
        for mark in marks:
            self._leave_out(mark, NOTE_MARK, sheet.number)
        if sheet.turned:
            self._leave_out(" ".join(sheet.turned), TURNED, sheet.number)
        self._leave_out(" ".join(sheet.struck), STRUCK, sheet.number)
        for note in sheet.notes:
            self._leave_out(note, SIDE_NOTE, sheet.number)
        self._leave_out(sheet.illegible, ILLEGIBLE, sheet.number, lost=True)

    def leave_out_pictures(self, pages: Sequence[int]) -> None:
        """Note the pages that are pictures; their words are not known."""
        if pages:
            named = ", ".join(map(str, pages[:NAMED])) + (" …" if len(pages) > NAMED else "")
            reason = f"{PICTURED}: {named}"
            self.body.left_out.append(LeftOut("", reason, self._place(pages[0])))

    def take_title_page(self, sheet: Sheet, heads: Sequence[str]) -> None:
        """Take the title from a title page, and note the rest of it."""
        title = title_lines(sheet.lines, heads)
        text = " ".join(line.text for line in title)
        self._add(Block(text=text, heading_level=0), sheet.number)
        taken = set(map(id, title))
        rest = "\n".join(_with_note(line) for line in sheet.lines if id(line) not in taken)
        self._leave_out(rest, TITLE_PAGE, sheet.number)

    def read(self, pieces: Iterator[Piece]) -> None:
        """Take what is on the pages, in reading order."""
        for piece in pieces:
            if isinstance(piece, Line):
                self._take_line(piece)
            elif isinstance(piece, Picture):
                self._end()
                self._add(Block(text="", kind="figure"), piece.page)
            else:
                self._take_table(*piece)
        self._end()
        for page in sorted(self._notes):
            self._add_notes(page)

    def _take_line(self, line: Line) -> None:
        if id(line) in self._contents:
            self._end()
            self._leave_out(_with_note(line), TABLE_OF_CONTENTS, line.page)
            return
        if self._table:
            self._end()
        if line.note:
            self._end()
            self._add(Block(text=line.note, bold=True), line.page)
        self._lines.append(line)

    def _take_table(self, table: Table, page: int) -> None:
        text = table_text(table, page, self._vocabulary)
        if self._table and goes_on(self._table[0], table):
            _, first, before = self._table
            self._table = table, first, f"{before}\n{text}"
            return
        self._end()
        self._table = table, page, text

    def _end(self) -> None:
        if self._table:
            _, page, text = self._table
            self._table = None
            self._add(Block(text=text, kind="table"), page)
        lines, self._lines = self._lines, []
        for paragraph in paragraphs(lines, self._leading):
            self._add(self._block(paragraph), paragraph[0].page)
            for line in paragraph:
                self._add_notes(line.page, line.notes)

    def _block(self, lines: Sequence[Line]) -> Block:
        text = text_of(lines, self._vocabulary)
        short = len(text.split()) <= LONGEST
        head, tab, rest = text.partition("\t")
        # What is new of a label such as `10.1.3B(2)` is known to the outline.
        label = automatic_label(head) if tab and not is_joined(head) else None
        return Block(
            text=rest if label else text,
            label=head if label else "",
            list_id=f"{label.look} {self._lists[lines[0].left]}" if label else "",
            heading_level=self._levels.get(lines[0].size) if short else None,
            indent=round(TWIPS * lines[0].text_left),
            bold=all(line.bold for line in lines),
            italic=all(line.italic for line in lines),
            underlined=all(line.underlined for line in lines),
            centred=all(line.is_centred for line in lines),
        )

    def _add(self, block: Block, page: int) -> None:
        for before in sorted(earlier for earlier in self._notes if earlier < page):
            self._add_notes(before)
        self.body.blocks.append(replace(block, place=self._place(page)))

    def _add_notes(self, page: int, marks: Collection[str] | None = None) -> None:
        """Write the footnotes of a page that some marks refer to; all that are left for None."""
        notes = self._notes.pop(page, [])
        for note in notes:
            if marks is not None and note.mark not in marks:
                continue
            text = text_of((line.with_marks() for line in note.lines), self._vocabulary)
            self.body.blocks.append(Block(text=text, kind="footnote", place=self._place(page)))
        if marks is not None:
            self._notes[page] = [note for note in notes if note.mark not in marks]

    def _leave_out(self, text: str, reason: str, page: int, *, lost: bool = False) -> None:
        if text.strip():
            self.body.left_out.append(LeftOut(text.strip(), reason, self._place(page), lost))

    def _place(self, page: int) -> int:
        self.body.pages.append(page)
        return len(self.body.pages)


def _with_note(line: Line) -> str:
    """Return a line that no passage holds with the side note beside it."""
    return f"{line.note}\n{line.text}" if line.note else line.text


def heading_levels(lines: Sequence[Line], usual: float) -> dict[float, int]:
    """Return the heading level of each font size above the usual one; 0 is the largest."""
    larger = sorted({line.size for line in lines if line.size > LARGER * usual}, reverse=True)
    return {size: level for level, size in enumerate(larger)}


def is_title_page(lines: Sequence[Line], usual: float) -> bool:
    """Return whether the lines of a first page, which others follow, are those of a title page."""
    if not 0 < len(lines) <= MOST_LINES or any(parse_label(one.text, True) for one in lines):
        return False
    off = sum(one.size != usual or one.bold or one.is_centred for one in lines)
    return off > SET_OFF * len(lines)


def title_lines(lines: Sequence[Line], heads: Iterable[str]) -> list[Line]:
    """Return the title on a title page: what later pages repeat at their head, else the largest."""
    lines = [one for one in lines if is_title(one.text)] or lines
    running = " ".join(_folded(head) for head in heads)
    repeated = [one for one in lines if len(one.text.split()) > 1 and _folded(one.text) in running]
    if repeated:
        return [max(repeated, key=lambda one: len(one.text))]
    largest = max(one.size for one in lines)
    return [one for one in lines if one.size == largest]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def flow(sheets: Sequence[Sheet]) -> Iterator[Piece]:
    """Yield the pieces of a document in reading order.

    A table or picture comes before the first line that is lower.
    """
    sizes = Counter(_size(image) for sheet in sheets for image in set(sheet.images))
    for sheet in sheets:
        waiting: list[tuple[float, Piece]] = [
            (table.box.top, (table, sheet.number)) for table in sheet.tables
        ]
        waiting += [
            (image.top, Picture(sheet.number))
            for image in sheet.images
            if sizes[_size(image)] < REPEATED and min(image.width, image.height) >= LEAST_PICTURE
        ]
        waiting.sort(key=lambda one: one[0], reverse=True)
        for line in sheet.lines:
            while waiting and waiting[-1][0] < line.baseline:
                yield waiting.pop()[1]
            yield line
        while waiting:
            yield waiting.pop()[1]


def _size(image: Box) -> tuple[int, int]:
    return round(image.width), round(image.height)


def with_raised_numbers(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return pages on which raised figures that count paragraphs are numbers: `(1)` and a tab.

    Marks of footnotes count through a document; numbers of paragraphs begin at 1 again and again.
    """
    numbers = [n for sheet in sheets for line in sheet.lines if (n := _raised(line))]
    counted = sum(n == "1" or follows(n, before) for before, n in pairwise(["0", *numbers]))
    if len(numbers) < FEWEST or counted < COUNT_ON * len(numbers):
        return list(sheets)
    if numbers.count("1") < 2 and numbers[0] != "1":
        return list(sheets)
    return [replace(s, lines=tuple(map(_numbered, s.lines))) for s in sheets]


def _raised(line: Line) -> str:
    if not line.marks or line.marks[0][0] or not line.text.strip():
        return ""
    mark = line.marks[0][1]
    return mark if mark[0].isdigit() else ""


def _numbered(line: Line) -> Line:
    number = _raised(line)
    if not number:
        return line
    head = f"({number})\t"
    moved = tuple((at + len(head), mark) for at, mark in line.marks[1:])
    return replace(line, text=head + line.text.lstrip(), marks=moved)
