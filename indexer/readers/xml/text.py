"""The running text of an act's elements, its footnotes, links and dates taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.xml.elements import Elements
from indexer.readers.xml.parsing import is_mixed, local_name, namespace
from indexer.structuring.acts.provisions import Act
from indexer.tables import cell_of, grid
from search.records import MetadataValue

if TYPE_CHECKING:
    from lxml.etree import _Element

_OTHER_DATA = "data of another kind"
_KNOWN_SPACES = frozenset({
    "", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML",
})  # fmt: skip
"""Namespaces that may be within a document's own: tables and formulae."""


class ActText:
    """Takes texts out of elements; what is not text of the act goes to its list."""

    def __init__(self, act: Act, elements: Elements) -> None:
        self._act = act
        self._elements = elements
        self._notes: dict[str, _Element] = {}
        self._space = ""
        table = elements
        self.blocks = frozenset().union(
            table.divisions, table.units, table.items, table.annexes, table.frames, table.recitals,
            table.groups, table.sections, table.cross_headings, table.tables, table.quotations,
            table.texts, table.remarks,
        )  # fmt: skip

    def know(self, document: _Element) -> None:
        """Find the footnotes that a document keeps apart, and its namespace."""
        self._space = namespace(document)
        if self._elements.note_references:
            self._notes = {
                key: element
                for element in document.iter()
                if isinstance(element.tag, str) and (key := self.identifier(element))
            }

    def is_inline(self, element: _Element, name: str) -> bool:
        """Return whether an element is in a line of text."""
        table = self._elements
        if name in table.inline or name in table.note_references or name in table.breaks:
            return True
        if name in table.notes:
            return True
        parent = element.getparent()
        if table.inline or name in self.blocks or parent is None:
            return False
        if any(local_name(inner) in self.blocks for inner in element.iterdescendants()):
            return False
        return local_name(parent) in table.texts or is_mixed(parent)

    def reason(self, element: _Element, name: str) -> str:
        """Return why an element is not text of the act, or ""."""
        if name in self._elements.left_out:
            return self._elements.left_out[name]
        return "" if namespace(element) in {self._space, *_KNOWN_SPACES} else _OTHER_DATA

    def read(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element, without its tail; `notes` receives footnotes."""
        name = local_name(element)
        table = self._elements
        if name in table.notes:
            notes.append(element)
            return ""
        if name in table.note_references:
            target = (element.get(table.note_references[name]) or "").removeprefix("#")
            if target in self._notes:
                notes.append(self._notes[target])
            return ""
        if name in table.breaks:
            return " "
        if name in table.figures:
            self._act.leave_out(f"figure {element.get(table.figures[name], '')}", "a figure")
            return ""
        if reason := self.reason(element, name) if name else "":
            self._act.leave_out(" ".join(element.itertext()), reason)
            return ""
        return self.words(element, notes) if name else ""

    def words(self, element: _Element, notes: list[_Element] | None = None) -> str:
        """Return all text inside an element, its blocks parted by blanks, soft hyphens gone."""
        found: list[_Element] = [] if notes is None else notes
        pieces = [element.text or ""]
        in_cell = local_name(element) in self._elements.cells
        for child in element:
            text = self.read(child, found)
            apart = self._is_block(local_name(child)) or (in_cell and self.is_line(child))
            pieces += [f" {text} " if apart else text, child.tail or ""]
        return "".join(pieces).replace("\xad", "")

    def is_line(self, piece: _Element) -> bool:
        """Return whether a piece of a cell is a line: right behind it comes one of its kind.

        One word has no two of them: `<Emphasis>Column 2</Emphasis><Emphasis>sectors</Emphasis>`.
        """
        following = piece.getnext()
        return not piece.tail and following is not None and following.tag == piece.tag

    def rows(self, table: _Element, notes: list[_Element]) -> tuple[list[str], list[list[str]]]:
        """Return the captions of a table, and its cells row by row."""
        names = self._elements
        captions = [self.words(e, notes) for e in table.iter() if local_name(e) in names.captions]
        rows = grid(
            [cell_of(c, self.words(c, notes)) for c in row if local_name(c) in names.cells]
            for row in table.iter()
            if local_name(row) in names.rows
        )
        return captions, rows

    def identifier(self, element: _Element) -> str:
        """Return the name that an element has in its file, or ""."""
        return next((str(v) for a in self._elements.identifiers if (v := element.get(a))), "")

    def _is_block(self, name: str) -> bool:
        inline = self._elements.inline
        return name in self.blocks or bool(inline and name and name not in inline)

    def metadata(self, element: _Element) -> dict[str, MetadataValue]:
        """Return the data that the attributes of a provision hold."""
        found: dict[str, MetadataValue] = {
            field: value
            for attribute, field in self._elements.metadata.items()
            if (value := (element.get(attribute) or "").strip())
        }
        if name := self.identifier(element):
            found["eid"] = name
        return found
