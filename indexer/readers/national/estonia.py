"""The XML of riigiteataja.ee: Estonian acts and regulations."""

from __future__ import annotations

from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.reader import XmlActReader

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
    about = About(
        known={"jurisdiction": "EE", "language": "et"},
        title=("aktinimi/pealkiri", "aktinimi/nimi"),
        metadata={
            "abbreviation": ("metaandmed/lyhend",), "version": ("metaandmed/kehtivuseAlgus",),
            "valid_from": ("metaandmed/kehtivuseAlgus",),
            "valid_to": ("metaandmed/kehtivuseLopp",),
        },
    )  # fmt: skip
