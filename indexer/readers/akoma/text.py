"""The running text of Akoma Ntoso elements, its footnotes taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element

INLINE = frozenset({
    "a", "abbr", "affectedDocument", "authorialNote", "b", "br", "change", "concept", "date", "def",
    "del", "docAuthority", "docDate", "docNumber", "docProponent", "docPurpose", "docStage",
    "docStatus", "docTitle", "docType", "docketNumber", "entity", "eol", "event", "fillIn", "i",
    "img", "inline", "ins", "judge", "lawyer", "legislature", "location", "marker", "mmod", "mod",
    "mref", "neutralCitation", "noteRef", "num", "object", "omissis", "opinion", "organization",
    "outcome", "party", "person", "placeholder", "process", "quantity", "quotedText", "ref",
    "relatedDocument", "remark", "rmod", "role", "rref", "session", "shortTitle", "signature",
    "span", "sub", "sup", "term", "time", "u", "vote",
})  # fmt: skip
"""Elements that stand in a line of text."""

BREAKS = frozenset({"br", "eol"})


class AkomaText:
    """Takes texts out of elements; deleted text and figures go to the act's list."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._notes: dict[str, _Element] = {}

    def know_notes(self, document: _Element) -> None:
        """Find the notes that a document keeps apart from its text and refers to."""
        self._notes = {
            identifier(note): note for note in document.iter() if local_name(note) == "note"
        }

    def read(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element, without its tail.

        `notes` receives the footnotes in it.
        """
        name = local_name(element)
        if found := self._note(element, name):
            notes += found
            return ""
        if name in BREAKS:
            return " "
        if name == "del":
            self._act.leave_out(" ".join(element.itertext()), "deleted text")
        elif name == "img":
            self._act.leave_out(f"figure {element.get('alt', '')}", "a figure")
        elif name:
            return self._inside(element, notes)
        return ""

    def cell(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of a table cell, its blocks parted by blanks."""
        pieces = [element.text or ""]
        for child in element:
            inner = local_name(child) in INLINE
            text = self.read(child, notes) if inner else f" {self.cell(child, notes)} "
            pieces += [text, child.tail or ""]
        return "".join(pieces)

    def _inside(self, element: _Element, notes: list[_Element]) -> str:
        pieces = [element.text or ""]
        for child in element:
            pieces += [self.read(child, notes), child.tail or ""]
        return "".join(pieces)

    def _note(self, element: _Element, name: str) -> list[_Element]:
        """Return the footnote that an element is or refers to, in a list of one; else none."""
        if name == "authorialNote":
            return [element]
        target = (element.get("href") or "").removeprefix("#") if name == "noteRef" else ""
        return [self._notes[target]] if target in self._notes else []


def identifier(element: _Element) -> str:
    """Return the `eId` of an element, or the `id` of versions before 3."""
    return str(element.get("eId") or element.get("id") or "")
