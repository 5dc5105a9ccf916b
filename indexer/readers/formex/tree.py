"""The elements of Formex 4 as provisions (names and nesting: Formex 4 schema of the EU)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from indexer.acts.building import footnote, item, level_of_item, recital
from indexer.acts.eu_numbers import (
    annex_number,
    article_number,
    division_number,
    section_number,
)
from indexer.acts.provisions import FORMULAS, PREAMBLE, Act, Level, Provision, flat_lines
from indexer.readers.formex.text import INLINE, inner_text, running_text
from indexer.readers.xml.parsing import detach, local_name
from indexer.readers.xml.walker import Walker
from indexer.tables import table_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

LIST_MARKS = {"DASH": "—", "BULLET": "•", "DISC": "•"}
"""TYPE of a LIST whose items have no number → what is printed before each of them."""

_SILENT = frozenset({"BIB.INSTANCE", "BIB.DATA", "TOC", "GR.ANNOTATION"})
_IN_LINE = INLINE | {""}


class FormexTree(Walker[Provision]):
    """Fills an act with the provisions of a Formex tree."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._footnotes = 0
        self._annex = False
        self._builders: dict[str, Callable[[_Element, Provision], object]] = {
            "DIVISION": partial(self._titled, "division", _numbered_division),
            "ARTICLE": partial(self._titled, "article", _numbered_article),
            "PARAG": self._paragraph,
            "CONS.ANNEX": self._annexed, "ANNEX": self._annexed, "GR.SEQ": self._section,
            "ITEM": self._item, "NP": self._numbered, "CONSID": self._recital,
            "PREAMBLE": partial(self._frame, PREAMBLE), "FINAL": partial(self._frame, FORMULAS),
            "QUOT.S": self._quotation,
            "TBL": self._table, "DLIST": self._pairs, "TITLE": self._stray_title,
        }  # fmt: skip

    def build(self, root: _Element) -> None:
        """Put the provisions of the document into the act."""
        whole = Provision("frame")
        if local_name(root) in {"ANNEX", "CONS.ANNEX"}:
            self._annexed(root, whole)
        else:
            for title in root.iter("TITLE"):
                parent = title.getparent()
                if parent is not None and local_name(parent) in {"ACT", "CONS.DOC", "CONS.ACT"}:
                    self._act.leave_out(" ".join(title.itertext()), "the title of the act")
                    parent.remove(title)
                    break
            self.fill(root, whole)
        self._act.take(whole)

    def is_inline(self, element: _Element) -> bool:
        """Return whether an element is in a line of text."""
        return local_name(element) in _IN_LINE

    def inline(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element; a figure is left out."""
        if local_name(element) == "INCL.ELEMENT":
            self._act.leave_out(f"figure {element.get('FILEREF', '')}", "a figure")
        return running_text(element, notes.append) if local_name(element) else ""

    def paragraph(self, text: str, notes: list[_Element], target: Provision) -> None:
        """Add a run of text and its footnotes."""
        if text := " ".join(text.split()):
            target.parts.append(text)
        for note in notes:
            self._footnote(note, target)

    def block(self, element: _Element, target: Provision) -> None:
        """Add one block by its name, or leave it out."""
        name = local_name(element)
        if name in _SILENT:
            self._act.leave_out(" ".join(element.itertext()), "data about the file")
        else:
            self._builders.get(name, self.fill)(element, target)

    def _text(self, element: _Element | None, provision: Provision) -> str:
        """Return the text of a title or number; its footnotes go to the provision."""
        if element is None:
            return ""
        notes: list[_Element] = []
        text = " ".join(_spaced(element, notes.append).split())
        for note in notes:
            self._footnote(note, provision)
        return text

    def _titled(
        self,
        level: Level,
        numbered: Callable[[str], tuple[str, str]],
        element: _Element,
        parent: Provision,
    ) -> Provision:
        """Add a provision by its title; `numbered` parts it into number and heading."""
        one = Provision(level, place=element.sourceline or 0)
        title = _take(element, "TITLE")
        parts = [_take(element, "TI.ART"), _take(element, "STI.ART")] if title is None else title
        texts: dict[bool, list[str]] = {True: [], False: []}
        for part in parts:
            if part is not None and (name := local_name(part)):
                texts[name in {"TI", "TI.ART"}].append(self._text(part, one))
        one.number, rest = numbered(" ".join(texts[True]))
        one.heading = " ".join(filter(None, [rest, *texts[False]]))
        self.fill(element, one)
        parent.parts.append(one)
        return one

    def _annexed(self, element: _Element, parent: Provision) -> None:
        before, self._annex = self._annex, True
        self._titled(
            "annex", lambda title: annex_number(title) or ("Annex", title), element, parent
        )
        self._annex = before

    def _section(self, element: _Element, parent: Provision) -> None:
        label = ""

        def numbered(title: str) -> tuple[str, str]:
            nonlocal label
            number, label, rest = section_number(title)
            if not self._annex:
                number = number.replace(".", "", 1) if number[:1] == "." else ""
            return number, rest

        self._titled("section", numbered, element, parent).label = label

    def _paragraph(self, element: _Element, parent: Provision) -> None:
        label = self._text(_take(element, "NO.PARAG"), parent)
        self._add_item("paragraph", label, element, parent)

    def _item(self, element: _Element, parent: Provision) -> None:
        numbered = next((c for c in element if local_name(c) == "NP"), None)
        if numbered is None:
            around = element.getparent()
            kind = "" if around is None else around.get("TYPE", "")
            self._add_item("point", LIST_MARKS.get(kind, ""), element, parent)
        elif len([c for c in element if local_name(c)]) == 1:
            self._numbered(numbered, parent)
        else:  # further paragraphs of the item are beside its NP
            label = self._text(_take(numbered, "NO.P"), parent)
            self._add_item(level_of_item(label, parent), label, element, parent)

    def _numbered(self, element: _Element, parent: Provision) -> None:
        label = self._text(_take(element, "NO.P"), parent)
        self._add_item(level_of_item(label, parent), label, element, parent)

    def _add_item(self, level: Level, label: str, element: _Element, parent: Provision) -> None:
        one = item(level, label, element.sourceline or 0, in_annex=self._annex)
        self.fill(element, one)
        parent.parts.append(one)

    def _recital(self, element: _Element, parent: Provision) -> None:
        numbered = next(iter(element.iter("NP")), element)
        label = self._text(_take(numbered, "NO.P"), parent)
        one = recital(label, element.sourceline or 0)
        self._fill_flat(one, element)
        parent.parts.append(one)

    def _frame(self, name: str, element: _Element, parent: Provision) -> None:
        frame = Provision("frame", name, place=element.sourceline or 0)
        self.fill(element, frame)
        if frame.parts:
            parent.parts.append(frame)

    def _quotation(self, element: _Element, parent: Provision) -> None:
        """Add quoted provisions of another act as text: their numbers are not this act's."""
        self._fill_flat(parent, element)

    def _fill_flat(self, provision: Provision, element: _Element) -> None:
        """Add the text of an element, each numbered line with its number in it."""
        quoted = Provision("point")
        self.fill(element, quoted)
        provision.parts += flat_lines(quoted)

    def _table(self, element: _Element, parent: Provision) -> None:
        title = self._text(_take(element, "TITLE"), parent)
        if title:
            parent.parts.append(title)
        rows = [
            [self._text(cell, parent) for cell in row if local_name(cell) == "CELL"]
            for row in element.iter("ROW")
        ]
        blocks = [self._text(c, parent) for c in element.iter("TI.BLK", "STI.BLK")]
        if text := table_text([*([b] for b in blocks), *rows]):
            parent.parts.append(text)
        for group in element.iter("GR.NOTES"):
            self.fill(group, parent)

    def _pairs(self, element: _Element, parent: Provision) -> None:
        mark = element.get("SEPARATOR", "")
        for pair in element.iter("DLIST.ITEM"):
            cells = [self._text(cell, parent) for cell in pair if local_name(cell)]
            parent.parts.append(f" {mark} ".join(filter(None, cells)).replace("  ", " "))

    def _stray_title(self, element: _Element, parent: Provision) -> None:
        if text := self._text(element, parent):
            parent.parts.append(text)

    def _footnote(self, element: _Element, parent: Provision) -> None:
        self._footnotes += 1
        note = footnote(self._footnotes, element.sourceline or 0)
        self._fill_flat(note, element)
        parent.parts.append(note)


def _numbered_division(title: str) -> tuple[str, str]:
    number = division_number(title)
    return (number[0], number[2]) if number else ("", title)


def _numbered_article(title: str) -> tuple[str, str]:
    return article_number(title) or (title or "Article", "")


def _spaced(element: _Element, note: Callable[[_Element], None]) -> str:
    """Return the text of an element in which every block is a word of its own."""
    if not any(local_name(c) and local_name(c) not in INLINE for c in element):
        return inner_text(element, note)
    pieces = [element.text or ""]
    for child in element:
        name = local_name(child)
        if name in INLINE or not name:
            pieces.append(running_text(child, note) if name else "")
        else:
            pieces += [" ", _spaced(child, note), " "]
        pieces.append(child.tail or "")
    return "".join(pieces)


def _take(element: _Element, name: str) -> _Element | None:
    """Take the first child of a name out of an element and return it; its tail stays."""
    found = next((child for child in element if local_name(child) == name), None)
    if found is not None:
        detach(found)
    return found
