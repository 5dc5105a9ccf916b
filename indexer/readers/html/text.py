"""The text of rulebook pages: what is read, and what stands around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.html.dom import classes, is_block, is_unseen, plain
from indexer.readers.xml.parsing import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element

AROUND = frozenset({
    "aside", "button", "dialog", "footer", "form", "header", "menu", "nav", "select",
})  # fmt: skip
"""Elements that stand around the text of a page."""

AROUND_ROLES = frozenset({"banner", "complementary", "contentinfo", "navigation", "search"})
"""ARIA landmarks that stand around it."""

AROUND_TEXT = "stands around the text of the page"
"""Why such elements are left out."""

_AROUND_CLASS = re.compile(
    r"(?:^|[-_ ])(?:breadcrumbs?|cookie\w*|menu|\w*nav(?:bar|header|footer|igation)?|pagination"
    r"|sidebar|skip|toc)(?:$|[-_ ])",
    re.IGNORECASE,
)
_NUMBER_ALONE = re.compile(
    r"\s*(?:\[?\(\w{1,5}\)|(?:[A-Z][a-z]{3,11}\s|§\s?)?\d{1,4}[A-Z]{0,2}(?:\.\d{1,4}[A-Z]{0,2}){0,6}[.)]?)"
)
"""`(1)`, `3.1`, `1.`, `Part 1`, `§ 5`."""
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

    def add(self, inner: str, tail: str | None) -> None:
        """Add the text of an element, and what follows it."""
        self._append(inner)
        self._numbered = len(self._pieces) <= _FEW and bool(_NUMBER_ALONE.fullmatch(self.text))
        self._append(tail or "")

    @property
    def text(self) -> str:
        """All that was added."""
        return "".join(self._pieces)

    def _append(self, piece: str) -> None:
        if not piece:
            return
        if self._numbered and piece[0].isalnum():
            self._pieces.append(" ")
        self._numbered = False
        self._pieces.append(piece)


class PageText:
    """Takes texts out of a page; what is left out goes to the act's list."""

    def __init__(self, act: Act) -> None:
        self._act = act

    def left_out(self, element: _Element) -> bool:
        """Note an element that is no text of the page, and tell whether it is none."""
        reason = _reason(element)
        if reason:
            self._act.leave_out(" ".join(element.itertext()), reason)
        return bool(reason)

    def inline(self, element: _Element) -> str:
        """Return the text of an element, without its tail; line breaks and blanks are kept."""
        name = local_name(element)
        if name == "img":
            self._act.leave_out(f"figure {element.get('alt', '')}", "a figure")
        if not name or name == "img" or self.left_out(element):
            return ""
        if name == "br":
            return LINE_BREAK
        run = InlineRun(element.text)
        for child in element:
            run.add(self.inline(child), child.tail)
        return run.text

    def rows(self, table: _Element) -> list[list[str]]:
        """Return the cells of a table row by row; a caption is a row of one cell."""
        return [
            [self._cell(row)]
            if local_name(row) == "caption"
            else [self._cell(cell) for cell in row if local_name(cell) in {"td", "th"}]
            for row in table.iter("caption", "tr")
        ]

    def _cell(self, cell: _Element) -> str:
        for inner in cell.iterdescendants():
            if is_block(inner):
                inner.tail = " " + (inner.tail or "")
        return plain(self.inline(cell))


def _reason(element: _Element) -> str:
    """Return why an element is left out, or ""."""
    if is_unseen(element):
        return "not part of the page's text"
    if element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
        return "hidden on the page"
    around = local_name(element) in AROUND or element.get("role") in AROUND_ROLES
    if around or any(_AROUND_CLASS.search(name) for name in classes(element)):
        return AROUND_TEXT
    return ""
