"""American federal regulations in XML: eCFR, the yearly Code (CFR) and the Federal Register."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.parsing import local_name, text_of
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree
from indexer.structuring.acts.provisions import VERSION_DAY, WORK, Act

if TYPE_CHECKING:
    from lxml.etree import _Element

_SECTION = re.compile(r"(§+\s*[\w.()–-]+?)\.?(?:\s+|$)(.*)", re.DOTALL)
_DIV = re.compile(r"DIV[1-9]")
_SOURCES = {"HED": 0, "HD1": 1, "HD2": 2, "HD3": 3}
_AMENDED, _ABOUT = "a note on amendments and sources", "data about the file"
ELEMENTS = Elements(
    divisions=dict.fromkeys(("TITLE", "SUBTITLE", "CHAPTER", "SUBCHAP", "PART", "SUBPART",
                             "SUBJGRP"), ""),
    units={"SECTION": "§"},
    annexes={"APPENDIX": "Appendix"},
    frames={"PREAMB": "Preamble", "SIG": "Concluding formulas"},
    cross_headings=frozenset({"HD", "HD1", "HD2", "HD3"}),
    numbers=frozenset({"SECTNO", "num"}),
    headings=frozenset({"SUBJECT", "heading"}),
    texts=frozenset({"P", "FP", "PSPACE", "HED", "AMDPAR"}),
    tables=frozenset({"GPOTABLE", "TABLE", "table"}),
    rows=frozenset({"ROW", "tr", "TR"}),
    cells=frozenset({"ENT", "td", "th", "TD", "TH"}),
    captions=frozenset({"TTITLE", "caption"}),
    notes=frozenset({"FTNT"}),
    left_out={"CITA": _AMENDED, "SECAUTH": _AMENDED, "AUTH": _AMENDED, "SOURCE": _AMENDED,
              "HEADER": _ABOUT, "CONTENTS": "a table of contents", "EAR": "a running head",
              "PRTPAGE": "the mark of a page", "FRDOC": _ABOUT, "BILCOD": _ABOUT,
              "FMTR": _ABOUT, "SECHD": "a table of contents", "TOC": "a table of contents",
              "LSTSUB": _ABOUT},
    identifiers=("NODE", "N"),
    labelled_texts=True,
)  # fmt: skip


class CfrTree(ElementTree):
    """Fills an act with the parts and sections of regulations."""

    def name_of(self, element: _Element) -> str:
        """Return what an element is; those of eCFR say it by their type."""
        name = local_name(element)
        return str(element.get("TYPE") or name) if _DIV.fullmatch(name) else name

    def rank_of(self, element: _Element) -> int:
        """Return the depth of a heading."""
        return _SOURCES.get(element.get("SOURCE") or local_name(element), 3)


class CfrReader(XmlActReader):
    """Reads a part, a title or one issue; sections are numbered as they are cited."""

    name = "cfr"
    roots = frozenset({"DLPSTEXTCLASS", "ECFR", "ECFRBRWS", "CFRDOC", "CFRGRANULE", "FEDREG",
                       "RULE", "PRORULE", *(f"DIV{depth}" for depth in range(1, 10))})  # fmt: skip
    called = "the XML of American federal regulations (eCFR, CFR, Federal Register)"
    elements = ELEMENTS
    tree = CfrTree
    about = About(
        known={"jurisdiction": "US", "language": "en"},
        title=("HEAD", "SUBJECT", "HD"),
        metadata={
            "version": ("AMDDATE", "DATE"),
            VERSION_DAY: ("AMDDATE", "FDSYS/DATE"),
            WORK: ("DIV1@NODE", "@NODE"),
            "effective": ("EFFDATE/P",),
        },
    )

    def prepare(self, document: _Element, act: Act) -> None:  # noqa: ARG002 - nothing is left out
        """Part the heads of eCFR into number and heading; parts of the yearly Code alike."""
        for element in list(document.iter("HEAD", "HD")):
            above = element.getparent()
            if above is None or (element.getprevious() is not None and local_name(element) == "HD"):
                continue
            text = text_of(element)
            kind = above.get("TYPE") or local_name(above)
            if kind not in {*ELEMENTS.divisions, *ELEMENTS.units, *ELEMENTS.annexes}:
                continue
            section = _SECTION.match(text) if kind == "SECTION" else None
            number, heading = section.groups() if section else (text, "")
            element.tag, element.text = "num", number
            for inner in list(element):
                element.remove(inner)
            if heading:
                added = above.makeelement("heading")
                added.text = heading
                element.addnext(added)
