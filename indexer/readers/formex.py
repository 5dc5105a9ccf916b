"""Formex 4, the XML of the EU's Official Journal: acts as published and as consolidated.

Names and nesting of elements: Formex 4 schema of the EU.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.xml.elements import Elements
from indexer.readers.xml.parsing import child, detach, first, local_name, look_up, text_of
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.text import ActText
from indexer.readers.xml.tree import ElementTree
from indexer.structuring.acts.building import level_of_item
from indexer.structuring.acts.eu_titles import celex_of_title, eu_act, iso_date, official_title
from indexer.structuring.acts.provisions import FORMULAS, PREAMBLE, Act, Level, Provision
from indexer.structuring.labels.eu_numbers import article_number, division_number

if TYPE_CHECKING:
    from lxml.etree import _Element, _ProcessingInstruction

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


OPERATORS = {
    "EQ": "=", "NE": "≠", "LT": "<", "GT": ">", "LE": "≤", "GE": "≥", "AP": "≈", "AB": "≡",
    "PLUS": "+", "MINUS": "–", "MULT": "×", "DIV": "÷", "DIVIDE": "/", "POINT": "·", "MAXI": "max",
    "MINI": "min", "INTEGRAL": "∫", "SUM": "∑", "PROD": "∏",
}  # fmt: skip
"""Values of TYPE of the empty elements OP.CMP and OP.MATH (Formex 4 schema) → the sign."""


class FormexText(ActText):
    """Takes texts out of elements of Formex; signs stand for the look of what is in a line."""

    def read(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element, without its tail; `notes` receives footnotes."""
        name, kind = local_name(element), element.get("TYPE", "")
        if name in {"QUOT.START", "QUOT.END"}:
            return _character(element.get("CODE", ""))
        if name in {"OP.CMP", "OP.MATH"}:
            return f" {OPERATORS.get(kind, '?')} "
        text = super().read(element, notes)
        signs = {
            "DIVIDEND": f"({text.strip()})",
            "DIVISOR": f" / ({text.strip()})",
            ("FT", "NUMBER"): grouped(text),
            ("HT", "SUP"): raised(text),
            ("EXPR", "BRACKET"): f" ({text.strip()})",
        }
        return signs.get((name, kind), signs.get(name, text))

    def is_line(self, piece: _Element) -> bool:  # noqa: ARG002 - the format's blocks are known
        """Return no: two elements of a kind may be within one word."""
        return False


def grouped(number: str) -> str:
    """Return a number as EU acts print it: groups of three from five digits on."""
    digits = number.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) < 5:
        return number
    head = len(digits) % 3 or 3
    groups = [digits[:head], *(digits[i : i + 3] for i in range(head, len(digits), 3))]
    return " ".join(groups)


def raised(text: str) -> str:
    """Return superscript text so that ten to the power of 25 does not read 1025."""
    return f"^{text.strip()}" if text.strip()[:1].isalnum() else text


def _character(code: str) -> str:
    try:
        return chr(int(code, 16))
    except (ValueError, OverflowError):
        return ""


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


_ATTRIBUTE = re.compile(r'([\w.]+)="([^"]*)"')


class FormexReader(XmlActReader):
    """Reads `.xml` files of one act each."""

    name = "formex"
    suffixes = frozenset({".xml", ".fmx"})
    roots = frozenset({
        "ACT", "ANNEX", "CONS.ACT", "CONS.ANNEX", "CONS.DOC", "DECISION", "GENERAL",
    })  # fmt: skip
    """Those that hold the text of an act; others, such as DOC, only list files."""
    called = "Formex 4"
    elements = ELEMENTS
    tree = FormexTree
    instructions = True

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        official = _printed_title(document)
        return eu_act(
            path,
            official,
            look_up(document, "NO.CELEX") or celex_of_title(official),
            iso_date(look_up(document, "INFO.CONSLEG@START.DATE")),
            look_up(document, "LG.DOC", "LG.OJ").lower(),
        )

    def prepare(self, document: _Element, act: Act) -> None:
        """Leave out what was deleted and the title, and put numbers right below their items."""
        drop_deleted(document, act)
        for title in document.iter("TITLE"):
            above = title.getparent()
            if above is not None and local_name(above) in {"ACT", "CONS.DOC", "CONS.ACT"}:
                act.leave_out(" ".join(title.itertext()), "the title of the act")
                above.remove(title)
                break
        for item in list(document.iter("ITEM", "CONSID")):
            numbered = first(item, "NP") if item.tag == "CONSID" else child(item, "NP")
            if (number := child(numbered, "NO.P")) is not None:
                detach(number)
                item.insert(0, number)


def _printed_title(root: _Element) -> str:
    for element in root.iter("TITLE"):
        above = element.getparent()
        if above is not None and local_name(above) in {"BIB.DATA", *FormexReader.roots}:
            lines = map(text_of, element.iter("P"))
            return official_title(
                " ".join(line for line in lines if line and "EEA relevance" not in line)
            )
    return ""


def drop_deleted(root: _Element, act: Act) -> None:
    """Take deleted text out of a tree, and note it in the act with the act that deleted it.

    The instructions are gone afterwards.
    """
    from lxml import etree

    open_deletions: dict[str, str] = {}
    gone: list[_Element] = []
    texts: list[tuple[str, str]] = []
    began: dict[_Element, bool] = {}
    for event, node in etree.iterwalk(root, events=("start", "end", "pi")):
        if event == "start":
            began[node] = bool(open_deletions)
            if open_deletions and node.text:
                texts.append((node.text, next(iter(open_deletions.values()))))
                node.text = None
            continue
        if event == "pi":
            _follow(node, open_deletions)
        elif began.pop(node) and open_deletions:
            gone.append(node)
        if open_deletions and node.tail:
            texts.append((node.tail, next(iter(open_deletions.values()))))
            node.tail = None
    for by in dict.fromkeys(by for _, by in texts):
        act.leave_out(" ".join(t for t, b in texts if b == by), f"deleted by {by}")
    for node in gone:
        detach(node)
    etree.strip_tags(root, etree.ProcessingInstruction)


def _follow(node: _ProcessingInstruction, open_deletions: dict[str, str]) -> None:
    attributes = dict(_ATTRIBUTE.findall(node.text or ""))
    if node.target == "CLG.MDFO" and attributes.get("ACTION") == "DELETED":
        end = attributes.get("IDREF", "")
        if end:
            open_deletions[end] = attributes.get("ACTIVE.DOC", "an amending act")
    elif node.target == "CLG.MDFC":
        open_deletions.pop(attributes.get("ID", ""), None)
