"""The XML of retsinformation.dk (LexDania): Danish acts and orders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.xml.elements import Elements
from indexer.readers.xml.finding import child, first_text
from indexer.readers.xml.reader import XmlActReader

if TYPE_CHECKING:
    from lxml.etree import _Element

ELEMENTS = Elements(
    divisions=dict.fromkeys(("Bog", "Afsnit", "Kapitel", "Underkapitel"), ""),
    units={"Paragraf": "§", "Artikel": "Artikel"},
    items={"Stk": "paragraph", "Nr": None, "Litra": None, "Index": None, "Indentatio": None},
    annexes={"Bilag": "Bilag"},
    frames={"Indledning": "Preamble", "Hymne": "Preamble", "Ikraft": "Concluding formulas",
            "Underskriftsgruppe": "Concluding formulas", "Underskrift": "Concluding formulas"},
    numbers=frozenset({"Explicatus"}),
    headings=frozenset({"Rubrica"}),
    texts=frozenset({"Linea", "Char"}),
    quotations=frozenset({"Citat", "AendringNyTekst"}),
    notes=frozenset({"Nota"}),
    left_out={"Meta": "data about the file", "TitelGruppe": "the title of the act"},
)  # fmt: skip


class RetsinformationReader(XmlActReader):
    """Reads one act of Denmark."""

    name = "retsinformation"
    roots = frozenset({"Dokument"})
    called = "the XML of retsinformation.dk"
    elements = ELEMENTS

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        meta = child(document, "Meta")
        metadata = {
            "jurisdiction": "DK",
            "language": "da",
            "date": first_text(meta, "DiesSigni"),
            "valid_from": first_text(meta, "StartDate"),
            "valid_to": first_text(meta, "EndDate"),
            "status": first_text(meta, "Status"),
            "official_title": first_text(meta, "DocumentTitle"),
        }
        name = first_text(meta, "AccessionNumber", "DocumentId")
        title = first_text(meta, "PopularTitle", "DocumentTitle")
        return Act(name or path.stem, title, {k: v for k, v in metadata.items() if v})
