"""The text of rulebook pages: what is read, and what is around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.blocks import STRUCK
from indexer.readers.dom import classes, has_blocks, is_block, is_unseen, rows_of
from indexer.readers.html.page import PageParts, is_control, is_struck
from indexer.readers.xml.parsing import local_name
from indexer.structuring.acts.provisions import Act
from indexer.structuring.pages.line import plain
from indexer.tables import Cell, cell_of, grid

if TYPE_CHECKING:
    from lxml.etree import _Element

AROUND = frozenset({
    "aside", "button", "dialog", "footer", "form", "header", "menu", "nav", "select",
})  # fmt: skip
"""Elements that are around the text of a page."""

AROUND_ROLES = frozenset({"banner", "complementary", "contentinfo", "navigation", "search"})
"""ARIA landmarks that are around it."""

AROUND_TEXT = "around the text of the page"
"""Why such elements are left out."""
MENU = "menus and links around the text"
_HIDDEN_CLASSES = frozenset({
    "d-none", "hidden", "invisible", "screen-reader-text", "sr-only", "visually-hidden",
})  # fmt: skip
_NOTE_FIGURES = 4
"""Characters of the mark of a footnote."""

_AROUND_CLASS = re.compile(
    r"(?:^|[-_ ])(?:breadcrumbs?|cookie\w*|menu|\w*nav(?:bar|header|footer|igation)?|pagination"
    r"|sidebar|skip|toc)(?:$|[-_ ])",
    re.IGNORECASE,
)
_AROUND_ID = re.compile(
    r"(?:site|page|global|main)?[-_]?(?:breadcrumbs?|footer|header|menu|nav\w*|sidebar)",
    re.IGNORECASE,
)
_NUMBER_ALONE = re.compile(
    r"\s*(?:\[?\(\w{1,5}\)|(?:[A-Z][a-z]{3,11}\s|§\s?)?\d{1,4}[A-Z]{0,2}(?:\.\d{1,4}[A-Z]{0,2}){0,6}[.)]?)"
)
"""`(1)`, `3.1`, `1.`, `Part 1`, `§ 5`."""
_BARE_NUMBER = re.compile(r"\s*\d{1,4}(?:\.\d{1,3}){0,2}[A-Z]{0,2}\.?\s*")
_FEW = 8
"""Pieces of text among which a number at the beginning of a paragraph is looked for."""
LINE_BREAK = "\u2028"
"""What `<br>` is in a text; the ends of lines in the source of a page are blanks."""
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class InlineRun:
    """The text of inline elements in a row.

    Where one of them is all that was read and a number by its look (`<span>(1)</span>The Bank`), a
    blank parts it from what follows, as the page's style does.
    """

    def __init__(self, text: str | None) -> None:
        self._pieces = [text or ""]
        self._numbered = False
        self.marked = False
        """Whether the text begins with a bare number that is an element of its own."""

    def add(self, inner: str, tail: str | None) -> None:
        """Add the text of an element, and what follows it."""
        self._append(inner)
        early = len(self._pieces) <= _FEW
        self._numbered = early and bool(_NUMBER_ALONE.fullmatch(self.text))
        self.marked = self.marked or (early and bool(_BARE_NUMBER.fullmatch(self.text)))
        self._append(tail or "")

    @property
    def text(self) -> str:
        """All that was added."""
        return "".join(self._pieces)

    def _append(self, piece: str) -> None:
        if not piece:
            return
        parted = piece[0].isalpha() or (piece[0].isdigit() and not self.text[-1:].isdigit())
        if self._numbered and parted:
            self._pieces.append(" ")
        self._numbered = False
        self._pieces.append(piece)


class PageText:
    """Takes texts out of a page; what is left out goes to the act's list."""

    def __init__(self, act: Act, parts: PageParts, body: _Element) -> None:
        self._act = act
        self._parts = parts
        self._targets = frozenset(
            (link.get("href") or "")[1:] for link in body.iter("a") if _is_note_mark(link)
        ) - {""}

    def left_out(self, element: _Element) -> bool:
        """Note an element that is not text of the page, and tell whether it is none."""
        reason = _reason(element, self._parts)
        if reason == AROUND_TEXT:
            own, links = texts_around(element)
            self._act.leave_out(own, reason, lost=True)
            self._act.leave_out(links, MENU)
        elif reason:
            self._act.leave_out(" ".join(element.itertext()), reason)
        return bool(reason)

    def is_note(self, element: _Element) -> bool:
        """Return whether a block is the text of a footnote that the page links to by a mark."""
        if not self._targets or has_blocks(element) or not local_name(element):
            return False
        marks = [element, *element.iter("a")][:_FEW]
        return any((e.get("id") or e.get("name") or "") in self._targets for e in marks)

    def inline(self, element: _Element) -> str:
        """Return the text of an element, without its tail; line breaks and blanks are kept."""
        name = local_name(element)
        if name == "img":
            self._act.leave_out(f"figure {element.get('alt', '')}", "a figure")
        if not name or name == "img" or self.left_out(element):
            return ""
        if name == "a" and _is_note_mark(element):
            self._act.leave_out("".join(element.itertext()), "the mark of a footnote")
            return ""
        if name == "br":
            return LINE_BREAK
        run = InlineRun(element.text)
        for child in element:
            run.add(self.inline(child), child.tail)
        return run.text

    def rows(self, table: _Element) -> list[list[str]]:
        """Return the texts of a table row by row; a caption is a row of one cell."""
        captions = [[self._cell(e)] for e in table if local_name(e) == "caption"]
        return grid([*captions, *([self._cell(cell) for cell in row] for row in rows_of(table))])

    def _cell(self, cell: _Element) -> Cell:
        for inner in cell.iterdescendants():
            if is_block(inner):
                inner.tail = " " + (inner.tail or "")
        text = plain(self.inline(cell))
        return cell_of(cell, text, is_heading=local_name(cell) == "th")


def texts_around(element: _Element) -> tuple[str, str]:
    """Return the words of an element outside its links and controls, and those inside them."""
    own, links = [element.text or ""], [""]
    for inner in element.iterdescendants():
        linked = any(is_control(above) for above in (inner, *inner.iterancestors()))
        (links if linked else own).append(inner.text or "")
        above = inner.getparent()
        outside = above is None or not any(map(is_control, (above, *above.iterancestors())))
        (own if outside else links).append(inner.tail or "")
    return " ".join(own), " ".join(links)


def _reason(element: _Element, parts: PageParts) -> str:
    if is_unseen(element):
        return "not part of the page's text"
    names = {name.lower() for name in classes(element)}
    hidden = element.get("hidden") is not None or not names.isdisjoint(_HIDDEN_CLASSES)
    if hidden or _HIDDEN.search(element.get("style") or ""):
        return "hidden on the page"
    if is_struck(element, parts.struck):
        return STRUCK
    around = local_name(element) in AROUND or element.get("role") in AROUND_ROLES
    named = any(_AROUND_CLASS.search(name) for name in classes(element))
    if around or named or _AROUND_ID.fullmatch(element.get("id") or ""):
        return "" if parts.is_page(element) else AROUND_TEXT
    return ""


def _is_note_mark(link: _Element) -> bool:
    """Return whether a link is the raised figure of a footnote of the same page."""
    if not (link.get("href") or "").startswith("#"):
        return False
    raised = link.find("sup") is not None or any(
        local_name(above) == "sup" for above in (link.getparent(),) if above is not None
    )
    return raised and len("".join(link.itertext()).strip(" ()[]*")) <= _NOTE_FIGURES
