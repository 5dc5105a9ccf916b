"""The text of a paragraph or note: runs, fields, tracked changes, symbols, formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from indexer.blocks import DELETED, HIDDEN, STRUCK, TABLE_OF_CONTENTS
from indexer.readers.docx.markup import attribute, child, is_on, number_of
from indexer.readers.docx.styles import Styles
from indexer.readers.xml.parsing import local_name

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
    size: int = 0

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
            own = {local_name(one): one for one in properties} if properties is not None else {}
            text = self._run_text(run, own, style_id, found)
            if text.strip():
                bold, italic, underlined = (self._is_on(own, style_id, key) for key in "biu")
                looks.append((bold, italic, underlined))
                found.size = max(found.size, self._size(own, style_id))
            pieces.append(text)
        found.text = "".join(pieces)
        if looks:
            found.bold, found.italic, found.underlined = map(all, zip(*looks, strict=True))
        return found

    def _runs(self, parent: Element, found: Inline) -> Iterator[Element]:
        """Yield the runs and formulas of a paragraph as an accepted document has them."""
        for element in parent:
            kind = local_name(element)
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
        if local_name(run) != "r":
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
            kind = local_name(element)
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

    def _size(self, own: Mapping[str, Element], style_id: str | None) -> int:
        said = number_of(attribute(own.get("sz"), "val"))
        return said or self._styles.size(style_id)


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
        if not any(local_name(above) == "Fallback" for above in element.iterancestors())
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
        if local_name(inner) in ("t", "delText"):
            yield inner.text or ""


_LIST_NUMBER = re.compile(r'\s*LISTNUM\b\s*(?:"([^"]*)"|(?!\\)(\S+))?(.*)', re.IGNORECASE)
_LIST_LEVEL = re.compile(r"\\l\s*(\d)", re.IGNORECASE)
_LISTINGS = re.compile(r"\s*(TOC|TOA|INDEX)\b", re.IGNORECASE)
"""Fields whose result repeats what is elsewhere in the document."""

ListNumber = Callable[[str, int], str]
"""Takes the name of a list ("" for none) and a 0-based level."""


class FieldStack:
    """Which complex fields are open; a table of contents stays open across paragraphs."""

    def __init__(self) -> None:
        self._open: list[list[str]] = []

    def handle(self, kind: str) -> str:
        """Take a `fldChar` (`begin`, `separate` or `end`); return the code of a field that ended.

        "" while none ended, or where the result of the field is in the text.
        """
        if kind == "begin":
            self._open.append(["", "code"])
        elif kind == "separate" and self._open:
            self._open[-1][1] = "result"
        elif kind == "end" and self._open:
            code, state = self._open.pop()
            return code if state == "code" else ""
        return ""

    def instruct(self, text: str) -> None:
        """Take a piece of the instruction of the innermost field."""
        if self._open and self._open[-1][1] == "code":
            self._open[-1][0] += text

    def close_all(self) -> None:
        """Forget open fields: the document has ended one without saying so."""
        self._open.clear()

    @property
    def in_code(self) -> bool:
        """Whether the runs are an instruction, which nobody sees."""
        return any(state == "code" for _, state in self._open)

    @property
    def in_listing(self) -> bool:
        """Whether the runs are the result of a table of contents."""
        return any(is_listing(code) for code, _ in self._open)


def is_listing(code: str) -> bool:
    """Return whether a field repeats headings or marks of the document, as `TOC` does."""
    return _LISTINGS.match(code) is not None


def list_number(code: str, next_number: ListNumber | None) -> str:
    """Return the number that Word computes for a `LISTNUM` field, which has no stored result.

    Args:
        code: the instruction of a field.
        next_number: counts in a list.
    """
    found = _LIST_NUMBER.match(code)
    if not found or next_number is None:
        return ""
    level = _LIST_LEVEL.search(found[3] or "")
    return next_number(found[1] or found[2] or "", int(level[1]) - 1 if level else 0)


def formula(element: Element) -> str:
    """Return a formula (`m:oMath`) as a line of text."""
    kind = local_name(element)
    if kind == "t":
        return element.text or ""
    if kind == "f":
        return f"{_group(element, 'num')}/{_group(element, 'den')}"
    if kind == "sSup":
        return f"{_part(element, 'e')}^{_group(element, 'sup')}"
    if kind == "sSub":
        return f"{_part(element, 'e')}_{_group(element, 'sub')}"
    if kind == "rad":
        return f"√{_group(element, 'e')}"
    return "".join(formula(inner) for inner in element)


def _part(element: Element, key: str) -> str:
    found = child(element, key)
    return "" if found is None else formula(found)


def _group(element: Element, key: str) -> str:
    """Return a part, in brackets where it has more than one sign or word."""
    text = _part(element, key).strip()
    return text if text.isalnum() or not text else f"({text})"


_SYMBOL_FONT = {
    0xA3: "≤", 0xB3: "≥", 0xB4: "×", 0xB8: "÷", 0xB9: "≠", 0xBB: "≈", 0xB1: "±", 0xD6: "√",
    0xE5: "∑", 0x53: "Σ", 0x44: "Δ", 0x61: "α", 0x62: "β", 0x67: "γ", 0x64: "δ", 0x6C: "λ",
    0x6D: "μ", 0x70: "π", 0x72: "ρ", 0x73: "σ", 0x2D: "−", 0xB0: "°", 0xA5: "∞", 0xB7: "•",
    0xDE: "⇒", 0xAE: "→", 0xAC: "←",
}  # fmt: skip
_WINGDINGS = {0xFC: "✓", 0xFB: "✗", 0xA8: "□", 0xFE: "☑", 0xFD: "☒", 0xE0: "→", 0xA7: "▪"}
_SYMBOLS = {"symbol": _SYMBOL_FONT, "wingdings": _WINGDINGS}


def character(element: Element, kind: str) -> str:
    """Return the text that an element of a run stands for; "" for one that stands for none."""
    if kind in ("tab", "ptab"):
        return "\t"
    if kind in ("br", "cr"):
        return "\n"
    if kind == "noBreakHyphen":
        return "-"
    if kind == "sym":
        font = (attribute(element, "font") or "").lower()
        try:
            code = int(attribute(element, "char") or "", 16)
        except ValueError:
            return ""
        plain = code & 0xFF if 0xF000 <= code <= 0xF0FF else code
        table = next((found for word, found in _SYMBOLS.items() if word in font), {})
        return table.get(plain) or (chr(plain) if 0x20 <= plain < 0xD800 else "•")
    return ""


def notes_of(
    styles: Styles, footnotes: Element | None, endnotes: Element | None
) -> dict[tuple[str, str], str]:
    """Return the notes of both parts by kind, `footnote` or `endnote`, and id."""
    texts: dict[tuple[str, str], str] = {}
    for kind, root in (("footnote", footnotes), ("endnote", endnotes)):
        for note in root if root is not None else ():
            if attribute(note, "type") in (None, "normal"):
                inline = InlineReader(styles)
                lines = (inline.read(p, None).text.strip() for p in note.iter("{*}p"))
                texts[kind, attribute(note, "id") or ""] = "\n".join(filter(None, lines))
    return texts
