"""The XML of riigiteataja.ee: Estonian acts and regulations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.xml.elements import Elements
from indexer.readers.xml.finding import child, first_text
from indexer.readers.xml.reader import XmlActReader

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARTS = ("osa", "peatykk", "jagu", "jaotis", "alljaotis", "paragrahv", "loige", "alampunkt")
_TWICE = "a number that the source repeats"
ELEMENTS = Elements(
    divisions=dict.fromkeys(_PARTS[:5], ""),
    units={"paragrahv": "§"},
    items={"loige": "paragraph", "alampunkt": None},
    annexes={"lisa": "Lisa"},
    frames={"preambul": "Preamble"},
    numbers=frozenset({"kuvatavNr"}),
    headings=frozenset(f"{part}Pealkiri" for part in _PARTS),
    texts=frozenset({"tavatekst", "HTMLKonteiner"}),
    left_out={"metaandmed": "data about the file", "aktinimi": "the title of the act",
              "muutmismarge": "a note on amendments and sources",
              **{f"{part}Nr": _TWICE for part in _PARTS}},
)  # fmt: skip


class RiigiTeatajaReader(XmlActReader):
    """Reads one act of Estonia."""

    name = "riigi-teataja"
    roots = frozenset({"oigusakt"})
    called = "the XML of riigiteataja.ee"
    elements = ELEMENTS

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        about = child(document, "metaandmed")
        begins = first_text(about, "kehtivuseAlgus")[:10]
        metadata = {
            "jurisdiction": "EE",
            "language": "et",
            "abbreviation": first_text(about, "lyhend"),
            "version": begins,
            "valid_from": begins,
            "valid_to": first_text(about, "kehtivuseLopp")[:10],
        }
        title = first_text(child(document, "aktinimi"), "pealkiri", "nimi")
        return Act(path.stem, title, {k: v for k, v in metadata.items() if v})
