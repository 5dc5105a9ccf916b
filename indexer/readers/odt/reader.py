"""OpenDocument texts (`.odt`, `.fodt`): parts → styles, lists → blocks → outline → passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.blocks import (
    DELETED,
    HIDDEN,
    PROPERTIES,
    RUNNING_HEAD,
    STRUCK,
    TABLE_OF_CONTENTS,
    Block,
    LeftOut,
)
from indexer.readers.files import file_bytes, unusable
from indexer.readers.odt.styles import BOLD, HEADINGS, Lists, Styles, twips, value_of
from indexer.readers.outlined import OutlinedReader
from indexer.readers.xml.parsing import local_name, parse_xml, text_of
from indexer.readers.zipped import member_bytes, open_document, open_zip
from indexer.tables import cell_of, grid

if TYPE_CHECKING:
    from lxml.etree import _Element

_INDEXES = frozenset({
    "table-of-content", "illustration-index", "table-index", "alphabetical-index", "user-index",
    "bibliography",
})  # fmt: skip
_LEFT_OUT = {**dict.fromkeys(_INDEXES, TABLE_OF_CONTENTS), "tracked-changes": DELETED}
_UNSEEN = frozenset({
    "annotation", "annotation-end", "bookmark", "forms", "sequence-decls", "soft-page-break",
    "user-field-decls", "variable-decls",
})  # fmt: skip
_BLANKS = {"s": " ", "tab": "\t", "line-break": "\n"}


class Body:
    """Collects the blocks of a text in reading order."""

    def __init__(self, styles: Styles, lists: Lists) -> None:
        self._styles = styles
        self._lists = lists
        self._place = 0
        self._notes: list[Block] = []
        self.blocks: list[Block] = []
        self.left_out: list[LeftOut] = []

    def read(self, parent: _Element) -> None:
        """Take what is in an element."""
        for element in parent:
            name = local_name(element)
            if name in _LEFT_OUT:
                self._leave_out(text_of(element), _LEFT_OUT[name])
            elif name in {"p", "h"}:
                self._paragraph(element, heading=name == "h")
            elif name == "list":
                self._list(element, value_of(element, "style-name"), 1)
            elif name == "table":
                self._table(element)
            elif name and name not in _UNSEEN:
                self.read(element)

    def _list(self, element: _Element, style: str, level: int, *, inner: bool = False) -> None:
        """Take a list; one inside of another continues until the outer one counts."""
        goes_on = value_of(element, "continue-numbering") == "true"
        if not (inner or goes_on or value_of(element, "continue-list")):
            self._lists.begin(style, level)
        for item in element:
            start = value_of(item, "start-value")
            if start.isdigit():
                self._lists.begin(style, level, int(start))
            numbered = local_name(item) == "list-item"
            for part in item:
                name = local_name(part)
                if name == "list":
                    own = value_of(part, "style-name") or style
                    self._list(part, own, level + 1, inner=own == style)
                elif name in {"p", "h"}:
                    label = self._lists.next(style, level) if numbered else ""
                    self._paragraph(part, name == "h", label, f"{style} {level}", level - 1)
                    numbered = False

    def _paragraph(
        self,
        element: _Element,
        heading: bool = False,
        label: str = "",
        list_id: str = "",
        level: int = 0,
    ) -> None:
        self._place += 1
        style = value_of(element, "style-name")
        outline = value_of(element, "outline-level")
        heading_level = int(outline) - 1 if heading and outline.isdigit() else None
        if heading_level is not None and not label:
            label = self._lists.next(HEADINGS, heading_level + 1)
            list_id, level = (HEADINGS, heading_level) if label else ("", 0)
        pieces: list[tuple[str, bool]] = []
        self._inline(element, style, pieces)
        text = "".join(piece for piece, _ in pieces).strip()
        bold = [bold for piece, bold in pieces if piece.strip()]
        self.blocks.append(
            Block(
                text=text,
                label=label,
                level=level,
                list_id=list_id if label else "",
                style=style.lower(),
                heading_level=heading_level,
                indent=twips(self._styles.look(style, "margin-left")),
                bold=bool(bold) and all(bold),
                centred=self._styles.look(style, "text-align") == "center",
                place=self._place,
            )
        )
        self.blocks += self._notes
        self._notes = []

    def _inline(self, element: _Element, style: str, pieces: list[tuple[str, bool]]) -> None:
        bold = self._styles.look(style, "font-weight") in BOLD
        pieces.append((element.text or "", bold))
        for inner in element:
            name = local_name(inner)
            own = value_of(inner, "style-name") if name in {"span", "a"} else ""
            if name in _BLANKS:  # "s" is many blanks, which count as one
                pieces.append((_BLANKS[name], bold))
            elif name == "note":
                self._note(inner)
            elif own and (reason := self._unread(own)):
                self._leave_out("".join(inner.itertext()), reason)
            elif name in {"frame", "text-box", "custom-shape", "g"}:
                self._frame(inner)
            elif name and name not in _UNSEEN:
                self._inline(inner, own or style, pieces)
            pieces.append((inner.tail or "", bold))

    def _unread(self, style: str) -> str:
        if self._styles.look(style, "text-line-through-style") not in {"", "none"}:
            return STRUCK
        return HIDDEN if self._styles.look(style, "display") == "none" else ""

    def _note(self, element: _Element) -> None:
        body = next(element.iter("{*}note-body"), None)
        if body is not None:
            self._notes.append(Block(text_of(body), "footnote", place=self._place))

    def _frame(self, element: _Element) -> None:
        before, self.blocks = self.blocks, []
        self.read(element)
        inside, self.blocks = self.blocks, before
        self._notes += inside

    def _table(self, element: _Element) -> None:
        table = grid(
            [cell_of(cell, text_of(cell)) for cell in row if local_name(cell) == "table-cell"]
            for row in element.iter("{*}table-row")
        )
        rows = ["\t".join(texts).rstrip("\t") for texts in table if any(texts)]
        self._place += 1
        if rows:
            self.blocks.append(Block(text="\n".join(rows), kind="table", place=self._place))

    def _leave_out(self, text: str, reason: str) -> None:
        if text.strip():
            self.left_out.append(LeftOut(text.strip(), reason, self._place))


_HEADS = tuple((RUNNING_HEAD, f"{{*}}{name}") for name in ("header", "header-first"))


class OdtReader(OutlinedReader):
    """Reads `.odt` and `.fodt` files; macros are never looked at."""

    name = "odt"
    suffixes = frozenset({".odt", ".ott", ".fodt"})

    def sniff(self, beginning: str) -> bool:
        """Return whether a file is an OpenDocument text in one piece."""
        return "office:document " in beginning and "opendocument.text" in beginning

    def blocks(self, path: Path) -> tuple[list[Block], list[LeftOut], Callable[[int], int]]:
        """Return the blocks of the file; the place of each is its paragraph."""
        parts = list(_parts(path))
        text = next((t for part in parts for t in part.iter("{*}text") if _is_body(t)), None)
        if text is None:
            raise unusable("holds no text document; give it its right suffix", path)
        body = Body(Styles(parts), Lists(parts))
        body.read(text)
        return body.blocks, [*_named(parts), *body.left_out], int


def _is_body(element: _Element) -> bool:
    parent = element.getparent()
    return parent is not None and str(parent.tag).endswith("}body")


def _named(parts: Iterable[_Element]) -> Iterator[LeftOut]:
    """Yield what names the document outside its text: its properties and running heads."""
    for part in parts:
        for reason, tag in ((PROPERTIES, "{http://purl.org/dc/elements/1.1/}title"), *_HEADS):
            for element in part.iter(tag):
                if text := "".join(element.itertext()).strip():
                    yield LeftOut(text, reason)


def _parts(path: Path) -> Iterator[_Element]:
    if path.suffix.lower() == ".fodt":
        yield parse_xml(file_bytes(path), path)
        return
    with open_zip(path) as opened:
        content = open_document(opened, path)
        for name in ("meta.xml", "styles.xml"):
            if part := member_bytes(opened, name, path):
                yield parse_xml(part, path)
        yield content
