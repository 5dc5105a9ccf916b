"""Pages of EUR-Lex as provisions: consolidated texts and the Official Journal, new and older."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.acts.building import (
    footnote,
    item,
    level_of_item,
    recital,
)
from indexer.acts.eu_numbers import annex_number, item_number
from indexer.acts.open_lists import ListLabels
from indexer.acts.provisions import Act, Provision, flat_lines
from indexer.pages.line import plain
from indexer.readers.dom import (
    INVISIBLE,
    classes,
    has_blocks,
    is_block,
    rows_of,
    visible_text,
)
from indexer.readers.eurlex.classes import (
    ABOUT,
    ACT_TITLES,
    ANNEX_TITLES,
    ARTICLE_TITLES,
    DIVISION_TITLES,
    HEADINGS,
    MARKS,
    NOTES,
    section_depth,
)
from indexer.readers.eurlex.outline import EurLexOutline, Scope, scope_of
from indexer.readers.eurlex.tables import is_line, is_list
from indexer.readers.eurlex.text import EurLexText, footnotes
from indexer.readers.xml.parsing import local_name
from indexer.readers.xml.walker import Walker
from indexer.tables import table_text

if TYPE_CHECKING:
    from lxml.etree import _Element

_TITLES = ARTICLE_TITLES | DIVISION_TITLES | ANNEX_TITLES | HEADINGS
_FORMULAS = re.compile(
    r"This (?:Regulation|Directive|Decision) (?:shall be binding in its|is addressed to)"
)
_QUOTED = ("‘", "“", '"', "'", "«")
_EMPTY_MARK = re.compile(r"^\(\s*\)\s*")


class EurLexTree(Walker[Scope]):
    """Fills an act with the provisions of a page."""

    def __init__(self, act: Act, root: _Element) -> None:
        self._act = act
        self._text = EurLexText(act, notes := footnotes(root))
        self._notes = list(dict.fromkeys(notes.values()))
        self._linked: set[_Element] = set()
        self._outline = EurLexOutline(act)
        self._main = self._outline.main

    def build(self, root: _Element) -> None:
        """Put the provisions of the page into the act."""
        self.fill(root, self._main)
        for note in self._notes:
            self._footnote(note, self._main.current)
        self._outline.close()

    def is_inline(self, element: _Element) -> bool:
        """Return whether an element neither is nor holds a block."""
        return not (is_block(element) or has_blocks(element))

    def inline(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element; `notes` receives what it links to."""
        return self._text.raw(element, notes)

    def block(self, element: _Element, target: Scope) -> None:
        """Add one block, or note why it is not text of the act."""
        found = classes(element)
        if local_name(element) in INVISIBLE:
            self._act.leave_out(" ".join(element.itertext()), "not part of the page's text")
        elif reason := self._reason(element, found):
            self._act.leave_out(visible_text(element), reason)
        elif not NOTES.isdisjoint(found) and element in self._notes:
            return  # added where the text links to it
        elif target is self._main and _is_title(found):
            linked: list[_Element] = []
            text = self._text.clean(self._text.inside(element, linked))
            self._outline.open(found, text, element.sourceline or 0)
            self._footnotes(linked, self._main.current)
        else:
            if target is self._main and element.get("id", "").startswith("fnp_"):
                self._outline.open_formulas()
            self._content(element, found, target)

    def _reason(self, element: _Element, found: frozenset[str]) -> str:
        """Return why a block is not text of the act, or ""."""
        if not MARKS.isdisjoint(found):
            return "a mark of an amendment"
        if not ABOUT.isdisjoint(found):
            return "data about the file"
        if not self._outline.in_preamble:
            return ""
        if local_name(element) == "table":  # lists the act and the acts that amend it
            about = ABOUT | MARKS | ACT_TITLES
            masthead = any(not about.isdisjoint(classes(p)) for p in element.iter("p"))
            return "data about the file" if masthead else ""
        if ACT_TITLES.isdisjoint(found) or _names_annex(element, found):
            return ""
        return "the title of the act"

    def _content(self, element: _Element, found: frozenset[str], scope: Scope) -> None:
        """Add a list item, a numbered paragraph, a table or plain blocks."""
        if "grid-list" in found:
            self._grid_item(element, scope)
        elif local_name(element) == "table":
            self._table(element, scope)
        elif (label := _paragraph_label(element)) is not None:
            self._numbered_paragraph(element, label, scope)
        else:
            self.fill(element, scope)

    def _grid_item(self, element: _Element, scope: Scope) -> None:
        cells = [child for child in element if is_block(child)]
        label = visible_text(cells[0]) if cells else ""
        self._item(self._text.clean(label), cells[1:], scope, element.sourceline or 0)

    def _item(self, label: str, cells: list[_Element], scope: Scope, place: int) -> None:
        """Add a list item whose content is in cells of its own."""
        if label.startswith(_QUOTED):
            inner = scope_of(Provision("point"))
            for cell in cells:
                self.fill(cell, inner)
            inner.base.label = label
            scope.current.parts += flat_lines(inner.base)
            return
        if (
            scope.base.level == "frame"
            and scope.base is self._outline.preamble
            and label[:1] == "("
        ):
            one = recital(label, place)
        else:
            level = level_of_item(label, scope.current)
            one = item(level, label, place, in_annex=self._outline.in_annex)
        scope.current.parts.append(one)
        inner = scope_of(one)
        for cell in cells:
            self.fill(cell, inner)

    def _numbered_paragraph(self, element: _Element, label: _Element, scope: Scope) -> None:
        """Add a paragraph whose number is in an element of its own."""
        text = self._text.clean("".join(label.itertext()))
        element.text = label.tail
        element.remove(label)
        inner = scope_of(Provision("paragraph", place=element.sourceline or 0))
        if text.startswith(_QUOTED) or scope.base.level in {"point", "paragraph", "recital"}:
            self.fill(element, inner)
            inner.base.label = text
            scope.current.parts += flat_lines(inner.base)
            return
        inner.base.number, inner.base.label = item_number(text, self._outline.in_annex), text
        scope.base.parts.append(inner.base)
        scope.current = inner.base
        self.fill(element, inner)

    def paragraph(self, text: str, notes: list[_Element], target: Scope) -> None:
        """Add a run of text; a label and a wide gap before it make it a numbered one."""
        label, text = self._text.labelled(text)
        if label and target.base.level != "recital":
            self._flat_item(label, text, target)
        elif text:
            body = target is self._main and not self._outline.in_annex
            if body and not self._outline.in_preamble and _FORMULAS.match(text):
                self._outline.open_formulas()
            target.current.parts.append(text if not label else f"{label} {text}")
        self._footnotes(notes, target.current)

    def _flat_item(self, label: str, text: str, scope: Scope) -> None:
        """Add a numbered line; the labels before it give its depth."""
        plain_number = label.rstrip(".").replace(".", "").rstrip(")").isalnum()
        paragraph = plain_number and "(" not in label and scope.base.level != "point"
        one = item("paragraph" if paragraph else "point", label, 0, in_annex=self._outline.in_annex)
        one.parts += [text] if text else []
        if not paragraph:
            scope.labels.place(one, scope.current).parts.append(one)
            return
        scope.base.parts.append(one)
        scope.current = one
        scope.labels = ListLabels()

    def _table(self, element: _Element, scope: Scope) -> None:
        rows = rows_of(element)
        if is_list(rows):
            for label, *cells in rows:
                text = self._text.clean(visible_text(label))
                self._item(text, cells, scope, element.sourceline or 0)
            return
        linked: list[_Element] = []
        texts = [[self._cell(cell, linked) for cell in row] for row in rows]
        text = plain(" ".join(texts[0])) if is_line(texts) else table_text(texts)
        if text:
            scope.current.parts.append(text)
        self._footnotes(linked, scope.current)

    def _cell(self, cell: _Element, linked: list[_Element]) -> str:
        for block in cell.iter():
            if is_block(block) and block is not cell:
                block.tail = " " + (block.tail or "")
        return self._text.clean(self._text.inside(cell, linked))

    def _footnotes(self, elements: list[_Element], parent: Provision) -> None:
        for element in elements:
            self._footnote(element, parent)

    def _footnote(self, element: _Element, parent: Provision) -> None:
        """Add a footnote where it is first linked to."""
        if element in self._linked:
            return
        self._linked.add(element)
        note = footnote(len(self._linked), element.sourceline or 0)
        for link in list(element.iter("a"))[:1]:
            note.label = plain("".join(link.itertext()))
            self._act.leave_out(note.label, "the mark of a footnote")
            link.clear(keep_tail=True)
        text = self._text.clean(self._text.inside(element, []))
        note.parts = [_EMPTY_MARK.sub("", text)]
        parent.parts.append(note)


def _is_title(found: frozenset[str]) -> bool:
    return bool(section_depth(found)) or not _TITLES.isdisjoint(found)


def _names_annex(element: _Element, found: frozenset[str]) -> bool:
    """Return whether a title above the first article is that of an annex published alone."""
    return "doc-ti" in found and annex_number(visible_text(element)) is not None


def _paragraph_label(element: _Element) -> _Element | None:
    """Return the element that holds the number of a paragraph, if a block begins with one."""
    first = element[0] if len(element) else None
    if first is None or (element.text or "").strip() or "no-parag" not in classes(first):
        return None
    return first
