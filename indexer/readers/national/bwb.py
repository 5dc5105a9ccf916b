"""The XML of wetten.overheid.nl (BWB): Dutch law as it was in force on one day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.reader import XmlActReader
from indexer.structuring.acts.provisions import Act

if TYPE_CHECKING:
    from lxml.etree import _Element

ELEMENTS = Elements(
    divisions=dict.fromkeys(("boek", "deel", "hoofdstuk", "titeldeel", "afdeling", "paragraaf",
                             "sub-paragraaf", "subparagraaf", "divisie", "circulaire.divisie"), ""),
    units={"artikel": "Artikel"},
    items={"lid": "paragraph", "li": None},
    annexes={"bijlage": "Bijlage"},
    frames={"aanhef": "Preamble", "wetsluiting": "Concluding formulas"},
    heads=frozenset({"kop"}),
    numbers=frozenset({"label", "nr", "lidnr", "li.nr"}),
    headings=frozenset({"titel", "subtitel"}),
    texts=frozenset({"al"}),
    notes=frozenset({"noot"}),
    left_out={"meta-data": "data about the file", "intitule": "the title of the act",
              "citeertitel": "the title of the act"},
    identifiers=("label-id", "id"),
    metadata={"inwerking": "valid_from", "status": "status"},
)  # fmt: skip


class BwbReader(XmlActReader):
    """Reads one consolidated law of the Netherlands."""

    name = "bwb"
    roots = frozenset({"toestand", "wetgeving"})
    called = "the XML of wetten.overheid.nl (BWB)"
    elements = ELEMENTS
    about = About(
        known={"jurisdiction": "NL", "language": "nl"},
        name=("@bwb-id",),
        title=("wetgeving/citeertitel", "wetgeving/intitule"),
        metadata={
            "version": ("@inwerkingtreding",), "valid_from": ("@inwerkingtreding",),
            "official_title": ("intitule",),
        },
    )  # fmt: skip

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates; its name tells the version."""
        act = super().describe(document, path)
        if version := document.get("inwerkingtreding"):
            act.document_id = f"{document.get('bwb-id') or path.stem}-{version}"
        return act
