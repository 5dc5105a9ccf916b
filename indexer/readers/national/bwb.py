"""The XML of wetten.overheid.nl (BWB): Dutch law as it was in force on one day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.xml.elements import Elements
from indexer.readers.xml.finding import first, first_text
from indexer.readers.xml.reader import XmlActReader

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

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        root = document.getroottree().getroot()
        version = root.get("inwerkingtreding") or ""
        metadata = {
            "jurisdiction": "NL",
            "language": "nl",
            "version": version,
            "valid_from": version,
            "official_title": first_text(document, "intitule"),
        }
        title = first_text(first(document, "wetgeving"), "citeertitel", "intitule")
        name = "-".join(filter(None, [root.get("bwb-id"), version]))
        return Act(name or path.stem, title, {k: v for k, v in metadata.items() if v})
