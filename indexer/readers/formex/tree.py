"""The elements of Formex 4 as provisions (names and nesting: Formex 4 schema of the EU)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.acts.building import level_of_item
from indexer.acts.eu_numbers import article_number, division_number
from indexer.acts.provisions import FORMULAS, PREAMBLE, Act, Level, Provision
from indexer.readers.formex.text import FormexText
from indexer.readers.xml.elements import Elements
from indexer.readers.xml.finding import child
from indexer.readers.xml.parsing import local_name
from indexer.readers.xml.tree import ElementTree

if TYPE_CHECKING:
    from lxml.etree import _Element

LIST_MARKS = {"DASH": "—", "BULLET": "•", "DISC": "•"}
"""TYPE of a LIST whose items have no number → what is printed before each of them."""

ELEMENTS = Elements(
    divisions={"DIVISION": ""},
    units={"ARTICLE": "Article"},
    items={"PARAG": "paragraph", "ITEM": None, "NP": None},
    annexes={"ANNEX": "Annex", "CONS.ANNEX": "Annex"},
    sections=frozenset({"GR.SEQ"}),
    frames={"PREAMBLE": PREAMBLE, "FINAL": FORMULAS},
    recitals=frozenset({"CONSID"}),
    heads=frozenset({"TITLE"}),
    numbers=frozenset({"TI", "TI.ART", "NO.PARAG", "NO.P"}),
    headings=frozenset({"STI", "STI.ART"}),
    inline=frozenset({
        "ACCENT", "ADDRESS.S", "BAR", "BR", "CIT.BIB", "DATE", "DEGREE", "DIVIDEND", "DIVISOR",
        "EXP", "EXPONENT", "EXPR", "FMT.VALUE", "FORMULA", "FORMULA.S", "FRACTION", "FT",
        "FUNCTION", "HT", "IE", "IND", "INCL.ELEMENT", "KEYWORD", "LINK", "MARGIN", "NO.DOC.C",
        "NOTE", "OP.CMP", "OP.MATH", "OVER", "OVERLINE", "QUOT.END", "QUOT.START", "REF.DOC",
        "REF.DOC.ECR", "REF.DOC.OJ", "REF.DOC.SE", "REF.ECR.DOC", "REF.NP.ECR", "ROOT", "SUM",
        "TERM.S", "UNDER", "VECTOR",
    }),
    tables=frozenset({"TBL"}),
    rows=frozenset({"ROW"}),
    cells=frozenset({"CELL"}),
    captions=frozenset({"TI.BLK", "STI.BLK"}),
    quotations=frozenset({"QUOT.S"}),
    notes=frozenset({"NOTE"}),
    breaks=frozenset({"BR"}),
    figures={"INCL.ELEMENT": "FILEREF"},
    left_out=dict.fromkeys((
        "BIB.DATA", "BIB.INSTANCE", "FAM.COMP", "GR.ANNOTATION", "INFO.CONSLEG", "INFO.PROD", "TOC",
    ), "data about the file"),
    identifiers=(),
)  # fmt: skip


class FormexTree(ElementTree):
    """Fills an act with the provisions of a Formex tree."""

    texts = FormexText

    def __init__(self, act: Act, elements: Elements) -> None:
        super().__init__(act, elements)
        self._roles |= {"TITLE": self._line, "DLIST": self._pairs}

    def number_unit(self, unit: Provision, element: _Element) -> None:  # noqa: ARG002 - as above
        """Give an article its number; what follows it in its title is heading."""
        unit.number, rest = article_number(unit.label) or (unit.label or "Article", "")
        unit.heading = f"{rest} {unit.heading}".strip()

    def number_division(self, division: Provision, word: str) -> None:
        """Give a division its number; a title without one is its heading."""
        if division_number(division.label):
            super().number_division(division, word)
        else:
            division.heading = f"{division.label} {division.heading}".strip()
            division.label = ""

    def label_of(self, element: _Element) -> str:
        """Return the mark of an item of a list without numbers."""
        above = element.getparent()
        listed = above is not None and local_name(element) == "ITEM"
        return LIST_MARKS.get(above.get("TYPE", ""), "") if listed else ""

    def place_item(self, item: Provision, level: Level | None, holder: Provision) -> None:
        """Decide what a part is: below the heading of an annex, `1.` is a paragraph."""
        item.level = level or level_of_item(item.label, holder)

    def _table(self, element: _Element, target: Provision) -> None:
        """Add a table, its title before it and its notes behind."""
        title = child(element, "TITLE")
        if title is not None:
            self._line(title, target)
        super()._table(element, target)
        for group in element.iter("GR.NOTES"):
            self.fill(group, target)

    def _pairs(self, element: _Element, target: Provision) -> None:
        mark = element.get("SEPARATOR", "")
        for pair in element.iter("DLIST.ITEM"):
            notes: list[_Element] = []
            cells = [" ".join(self.text.words(c, notes).split()) for c in pair if local_name(c)]
            text = f" {mark} ".join(filter(None, cells))
            self.paragraph(text, notes, target)

    def _line(self, element: _Element, target: Provision) -> None:
        notes: list[_Element] = []
        text = self.text.words(element, notes)
        self.paragraph(text, notes, target)
