r"""Word documents: the passages of one `.docx` file.

    package → styles, numbering, notes → blocks → outline → passages

Automatic numbers are computed from the document's lists. Tables are rows between `\Table Start`
and `\Table End`; tracked changes are read as accepted. What is in no passage (title page, tables of
contents, deleted and hidden text, footnotes unless they are wanted) is noted with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.blocks import (
    DELETED,
    PROPERTIES,
    RUNNING_HEAD,
    TABLE_OF_CONTENTS,
    TOO_DEEP,
    Block,
    LeftOut,
)
from indexer.readers.docx.inline import Inline, InlineReader, alternative, notes_of
from indexer.readers.docx.markup import child, value_of
from indexer.readers.docx.numbering import Counters, NumberedList, Numbering
from indexer.readers.docx.package import Package
from indexer.readers.docx.styles import Styles, left_indent
from indexer.readers.docx.tables import cell_text, data_text, inside, is_layout, layout_blocks
from indexer.readers.outlined import OutlinedReader
from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

BOXES_DEEP = 5
"""Text boxes and tables inside each other that are followed."""


class BodyReader:
    """Turns the elements of a body into blocks, counting automatic numbers on the way."""

    def __init__(
        self, styles: Styles, numbering: Numbering, notes: Mapping[tuple[str, str], str]
    ) -> None:
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._counters = Counters()
        self._inline = InlineReader(styles, self._list_number)
        self._place = 0
        self._joined = ""
        self.left_out: list[LeftOut] = []

    def document(self, elements: Iterable[Element]) -> Iterator[Block]:
        """Yield the blocks of a whole body."""
        yield from self.blocks(elements)
        if self._joined:  # there was no next paragraph to run on into
            yield Block(text=self._joined, place=self._place)

    def blocks(self, elements: Iterable[Element], depth: int = 0) -> Iterator[Block]:
        """Yield the blocks of block-level elements, in order."""
        for element in elements:
            kind = local_name(element)
            if kind == "p":
                yield from self._paragraph(element, depth)
            elif kind == "tbl":
                yield from self._table(element, depth)
            elif kind == "sdt":
                yield from self._control(element, depth)
            elif kind in ("customXml", "ins", "moveTo", "sdtContent"):
                yield from self.blocks(element, depth)
            elif kind == "AlternateContent":
                yield from self.blocks(alternative(element), depth)

    def _list_number(self, name: str, level: int) -> str:
        found = self._numbering.list_named(name)
        return self._counters.next_label(found, level) if found and level in found.levels else ""

    def _control(self, element: Element, depth: int) -> Iterator[Block]:
        """Read a content control; one that holds a table of contents is left out."""
        gallery = value_of(element, "sdtPr", "docPartObj", "docPartGallery") or ""
        content = child(element, "sdtContent")
        if content is None:
            return
        if "table of contents" in gallery.lower():
            for block in list(self.blocks(content, depth)):
                self._leave_out(block.text, TABLE_OF_CONTENTS)
            return
        yield from self.blocks(content, depth)

    def _paragraph(self, element: Element, depth: int) -> Iterator[Block]:
        self._place += 1
        place = self._place
        properties = child(element, "pPr")
        style_id = value_of(properties, "pStyle") or self._styles.default_paragraph
        mark = child(properties, "rPr")
        joined = any(child(mark, gone) is not None for gone in ("del", "moveFrom"))
        number = None if joined or _only_breaks(element) else self._number(properties, style_id)
        if number:
            self._inline.fields.close_all()  # no table of contents reaches into numbered text
        inline = self._inline.read(element, style_id)
        for reason, text in inline.left_out.items():
            self._leave_out(text, reason)
        if joined:
            # The mark of the paragraph is deleted: its text runs on into the next one.
            self._joined += inline.text
            yield from self._attached(inline, place, depth)
            return
        inline.text, self._joined = self._joined + inline.text, ""
        if self._styles.name(style_id).startswith(("toc ", "table of figures")):
            self._leave_out(inline.text, TABLE_OF_CONTENTS)
            return
        yield self._block(inline, properties, style_id, number, place)
        yield from self._attached(inline, place, depth)

    def _attached(self, inline: Inline, place: int, depth: int) -> Iterator[Block]:
        """Yield what hangs on a paragraph: notes, figures, text boxes."""
        for kind, note in inline.notes:
            if text := self._notes.get((kind, note)):
                yield Block(text=text, kind="footnote", place=place)
        for description in inline.figures:
            yield Block(text=description, kind="figure", place=place)
        waiting, self._joined = self._joined, ""  # a box is a story of its own
        for box in inline.boxes:
            if depth < BOXES_DEEP:
                yield from self.blocks(box, depth + 1)
            else:
                self._leave_out(" ".join(box.itertext()), TOO_DEEP)
        self._joined = waiting + self._joined

    def _number(
        self, properties: Element | None, style_id: str | None
    ) -> tuple[NumberedList, int, str] | None:
        """Count a paragraph, even an empty one, as Word does; before the fields inside it."""
        at = self._numbering.place_of(properties, style_id)
        return (*at, self._counters.next_label(*at)) if at else None

    def _block(
        self,
        inline: Inline,
        properties: Element | None,
        style_id: str | None,
        number: tuple[NumberedList, int, str] | None,
        place: int,
    ) -> Block:
        label, level, list_id, by_level = "", 0, "", None
        if number:
            numbered, level, label = number
            list_id, by_level = numbered.abstract, numbered.levels[level].indent
        indent = left_indent(properties)
        for inherited in (by_level, self._styles.indent(style_id)):
            indent = inherited if indent is None else indent
        return Block(
            text=inline.text,
            label=label,
            level=level,
            list_id=list_id,
            style=self._styles.name(style_id),
            heading_level=self._styles.heading_level(style_id),
            indent=indent or 0,
            bold=inline.bold,
            italic=inline.italic,
            underlined=inline.underlined,
            centred=(value_of(properties, "jc") or self._styles.paragraph_value(style_id, "jc"))
            == "center",
            size=inline.size,
            place=place,
        )

    def _table(self, element: Element, depth: int) -> Iterator[Block]:
        """Yield a table, or the paragraphs of one that only sets numbers beside their text.

        Its footnotes follow it.
        """
        place = self._place + 1
        rows: list[list[list[Block]]] = []
        drawn: list[Element] = []
        notes: list[Block] = []
        for row in inside(element, "tr"):
            if child(row, "trPr", "del") is not None:
                for cell in inside(row, "tc"):
                    self._leave_out(self._uncounted_text(cell, depth), DELETED)
                continue
            cells = [self._cell(cell, depth) for cell in inside(row, "tc")]
            drawn.append(row)
            notes += [block for cell in cells for block in cell if block.kind == "footnote"]
            rows.append([[b for b in cell if b.kind != "footnote"] for cell in cells])
        if is_layout(element, rows, self._styles):
            yield from layout_blocks(rows)
        else:
            yield Block(text=data_text(rows, drawn), kind="table", place=place)
        yield from notes

    def _cell(self, cell: Element, depth: int) -> list[Block]:
        """Return the blocks of a cell that hold text or a number."""
        if depth >= BOXES_DEEP:
            self._leave_out(" ".join(cell.itertext()), TOO_DEEP)
            return []
        blocks = self.blocks(cell, depth + 1)
        return [block for block in blocks if block.text.strip() or block.label]

    def _uncounted_text(self, cell: Element, depth: int) -> str:
        """Return the text of a cell whose paragraphs Word counts no more."""
        counters, self._counters = self._counters, Counters()
        try:
            return cell_text(self._cell(cell, depth))
        finally:
            self._counters = counters

    def _leave_out(self, text: str, reason: str) -> None:
        if text.strip():
            self.left_out.append(LeftOut(text.strip(), reason, self._place))


def _only_breaks(paragraph: Element) -> bool:
    """Return whether a paragraph only ends a section: Word does not number it."""
    return child(paragraph, "pPr", "sectPr") is not None and all(
        local_name(inner) != "r" for inner in paragraph
    )


_TOP_LEVEL = (
    "{*}p", "{*}tbl", "{*}sdt", "{*}customXml", "{*}ins", "{*}moveTo", "{*}AlternateContent",
)  # fmt: skip
"""What is in a body, one after the other."""


class DocxReader(OutlinedReader):
    """Reads `.docx` and `.docm` files; macros are never looked at."""

    name = "docx"
    suffixes = frozenset({".docx", ".docm"})

    def blocks(self, path: Path) -> tuple[list[Block], list[LeftOut], Callable[[int], int]]:
        """Return the blocks of the file; the place of each is its paragraph."""
        return *read_blocks(path), int


def read_blocks(path: Path) -> tuple[list[Block], list[LeftOut]]:
    """Return the blocks of a Word document, and what its reader left out.

    Raises:
        InputError: it is not a Word document, is protected, damaged or too large.
    """
    with closing(Package(path)) as package:
        styles = Styles(package.part("styles"))
        numbering = Numbering(package.part("numbering"), styles)
        notes = notes_of(styles, package.part("footnotes"), package.part("endnotes"))
        reader = BodyReader(styles, numbering, notes)
        blocks = list(reader.document(package.body(_TOP_LEVEL)))
        heads = [
            LeftOut(block.text.strip(), RUNNING_HEAD)
            for header in package.parts("header")
            for block in BodyReader(styles, numbering, notes).blocks(header)
            if block.text.strip()
        ]
        properties = package.part("core-properties")
        titles = [properties.findtext("{*}title") or ""] if properties is not None else []
        named = [LeftOut(text.strip(), PROPERTIES) for text in titles if text.strip()]
        return blocks, [*named, *heads, *reader.left_out]
