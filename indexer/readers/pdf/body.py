"""The pages of a PDF as the blocks of one document."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from indexer.blocks import STRUCK, TABLE_OF_CONTENTS, TITLE_PAGE, Block, LeftOut
from indexer.outline.headings import LONGEST
from indexer.readers.pdf.contents import paged_contents
from indexer.readers.pdf.flow import Picture, Piece, flow
from indexer.readers.pdf.footnotes import Footnote, split_footnotes
from indexer.readers.pdf.hyphens import Vocabulary
from indexer.readers.pdf.layout import Sheet, placed
from indexer.readers.pdf.lines import Line
from indexer.readers.pdf.margins import is_page_number, margin_lines
from indexer.readers.pdf.paragraphs import Paragraph, paragraphs, usual_leading
from indexer.readers.pdf.raised import with_raised_numbers
from indexer.readers.pdf.sizes import heading_levels, usual_size
from indexer.readers.pdf.stops import lists, with_tabs
from indexer.readers.pdf.tables import Table, goes_on, table_text
from indexer.readers.pdf.title_page import is_title_page, title_lines
from indexer.structuring.joined_labels import is_joined
from indexer.structuring.labels import automatic_label

RUNNING = "running head or foot"
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
    """Return the pages without heads and feet, and those of each page."""
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
            reason = PAGE_NUMBER if is_page_number(line.text) else RUNNING
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
        """Write what was collected."""
        if self._table:
            _, page, text = self._table
            self._table = None
            self._add(Block(text=text, kind="table"), page)
        lines, self._lines = self._lines, []
        for paragraph in paragraphs(lines, self._leading):
            self._add(self._block(paragraph), paragraph.lines[0].page)
            for line in paragraph.lines:
                self._add_notes(line.page, line.notes)

    def _block(self, paragraph: Paragraph) -> Block:
        text, lines = paragraph.text(self._vocabulary), paragraph.lines
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
            lines = [line.with_marks() for line in note.lines]
            text = Paragraph(tuple(lines)).text(self._vocabulary)
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
