"""The XML of retsinformation.dk (LexDania): Danish acts and orders."""

from __future__ import annotations

from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.reader import XmlActReader

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
    about = About(
        known={"jurisdiction": "DK", "language": "da"},
        name=("Meta/AccessionNumber", "Meta/DocumentId"),
        title=("Meta/PopularTitle", "Meta/DocumentTitle"),
        metadata={
            "date": ("Meta/DiesSigni",), "valid_from": ("Meta/StartDate",),
            "valid_to": ("Meta/EndDate",), "status": ("Meta/Status",),
            "official_title": ("Meta/DocumentTitle",),
        },
    )  # fmt: skip
