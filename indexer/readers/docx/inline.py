"""The text of a paragraph: runs, fields, tracked changes, symbols, and what is inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from indexer.blocks import DELETED, HIDDEN, STRUCK, TABLE_OF_CONTENTS
from indexer.readers.docx.fields import FieldStack, ListNumber, is_listing, list_number
from indexer.readers.docx.markup import attribute, child, is_on, name
from indexer.readers.docx.mathematics import formula
from indexer.readers.docx.styles import Styles
from indexer.readers.docx.symbols import character

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_DROPPED = frozenset({"del", "moveFrom"})
"""Tracked changes that an accepted document does not have."""

_TRANSPARENT = frozenset(
    {"hyperlink", "ins", "moveTo", "smartTag", "sdt", "sdtContent", "customXml", "dir", "bdo",
     "ruby", "rubyBase", "fldSimple"}
)  # fmt: skip

_STRIKES = ("strike", "dstrike")
_FILE = re.compile(r"[\\/:]|\.[A-Za-z]{3,4}$")


@dataclass(slots=True)
class Inline:
    """What a paragraph holds."""

    text: str = ""
    figures: list[str] = field(default_factory=list)
    """Description of each picture, in order; empty where the author gave none."""
    boxes: list[Element] = field(default_factory=list)
    """Contents of text boxes."""
    notes: list[tuple[str, str]] = field(default_factory=list)
    """("footnote" or "endnote", its id) of each note referred to."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Reason → text that is in the source and not in the text above."""
    bold: bool = False
    italic: bool = False
    underlined: bool = False

    def leave_out(self, text: str, reason: str) -> None:
        """Note text that is not read; pieces of one word stay together."""
        if text:
            self.left_out[reason] = self.left_out.get(reason, "") + text


class InlineReader:
    """Reads the paragraphs of one story (body, note, text box) in order."""

    def __init__(self, styles: Styles, list_number: ListNumber | None = None) -> None:
        """Read with the styles of the document.

        Args:
            styles: what runs inherit.
            list_number: returns the next number of a list and level for a `LISTNUM` field.
        """
        self._styles = styles
        self._list_number = list_number
        self.fields = FieldStack()

    def read(self, paragraph: Element, style_id: str | None) -> Inline:
        """Return what a paragraph holds."""
        found = Inline()
        pieces: list[str] = []
        looks: list[tuple[bool, bool, bool]] = []
        for run in self._runs(paragraph, found):
            properties = child(run, "rPr")
            own = {name(one): one for one in properties} if properties is not None else {}
            text = self._run_text(run, own, style_id, found)
            if text.strip():
                bold, italic, underlined = (self._is_on(own, style_id, key) for key in "biu")
                looks.append((bold, italic, underlined))
            pieces.append(text)
        found.text = "".join(pieces)
        if looks:
            found.bold, found.italic, found.underlined = map(all, zip(*looks, strict=True))
        return found

    def _runs(self, parent: Element, found: Inline) -> Iterator[Element]:
        """Yield the runs and formulas of a paragraph as an accepted document has them."""
        for element in parent:
            kind = name(element)
            if kind in ("r", "oMath", "oMathPara"):
                yield element
            elif kind in _DROPPED:
                found.leave_out("".join(_words(element)), DELETED)
            elif kind == "AlternateContent":
                yield from self._runs(alternative(element), found)
            elif kind == "fldSimple" and is_listing(attribute(element, "instr") or ""):
                found.leave_out("".join(_words(element)), TABLE_OF_CONTENTS)
            elif kind in _TRANSPARENT:
                yield from self._runs(element, found)

    def _run_text(
        self, run: Element, own: Mapping[str, Element], style_id: str | None, found: Inline
    ) -> str:
        if name(run) != "r":
            return formula(run)
        text = "".join(self._pieces(run, found))
        if not text:
            return ""
        if self.fields.in_listing:
            found.leave_out(text, TABLE_OF_CONTENTS)
            return ""
        if text.strip() and self._is_on(own, style_id, "vanish"):
            found.leave_out(text, HIDDEN)
            return ""
        if text.strip() and any(self._is_on(own, style_id, one) for one in _STRIKES):
            found.leave_out(text, STRUCK)
            return ""
        return text

    def _pieces(self, run: Element, found: Inline) -> Iterator[str]:
        for element in run:
            kind = name(element)
            if kind == "fldChar":
                ended = self.fields.handle(attribute(element, "fldCharType") or "")
                yield list_number(ended, self._list_number)
            elif kind == "instrText":
                self.fields.instruct(element.text or "")
            elif self.fields.in_code:
                continue
            elif kind == "t":
                yield (element.text or "").replace("\n", " ")
            elif kind in ("footnoteReference", "endnoteReference"):
                found.notes.append((kind.removesuffix("Reference"), attribute(element, "id") or ""))
            elif kind in ("drawing", "pict", "object"):
                _collect_drawing(element, found)
            elif kind == "AlternateContent":
                yield from self._pieces(alternative(element), found)
            elif kind == "ruby":
                yield "".join(_words(child(element, "rubyBase")))
            else:
                yield character(element, kind)

    def _is_on(self, own: Mapping[str, Element], style_id: str | None, key: str) -> bool:
        """Return a run property: its own, its character style's, or its paragraph's."""
        on = is_on(own.get(key))
        if on is None and "rStyle" in own:
            on = self._styles.run_switch(attribute(own["rStyle"], "val"), key)
        if on is None:
            on = self._styles.run_switch(style_id, key)
        return bool(on)


def alternative(element: Element) -> Element:
    """Return the one of several versions of the same content that is read."""
    choice = child(element, "Choice")
    fallback = child(element, "Fallback")
    if choice is not None and (fallback is None or next(choice.iter("{*}t"), None) is not None):
        return choice
    return fallback if fallback is not None else element


def _collect_drawing(drawing: Element, found: Inline) -> None:
    boxes = [
        element
        for element in drawing.iter("{*}txbxContent")
        if not any(name(above) == "Fallback" for above in element.iterancestors())
    ]
    found.boxes += boxes
    pictured = any(
        True
        for _ in drawing.iter("{*}blip", "{*}imagedata", "{*}OLEObject", "{*}chart", "{*}relIds")
    )
    if pictured:
        described = (e.get("descr") or e.get("title") or "" for e in drawing.iter("{*}docPr"))
        found.figures.append(next((text for text in described if _tells(text)), ""))


def _tells(description: str) -> bool:
    """Return whether a picture's description says something; Word puts a file's path there."""
    return bool(description.strip()) and not _FILE.search(description.strip())


def _words(element: Element | None) -> Iterator[str]:
    for inner in element.iter() if element is not None else ():
        if name(inner) in ("t", "delText"):
            yield inner.text or ""
