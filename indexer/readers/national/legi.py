"""The XML of Légifrance (LEGI, JORF): one article of a French code or act in each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.parsing import local_name, look_up
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree

if TYPE_CHECKING:
    from lxml.etree import _Element

_ABOUT = "data about the file"
ELEMENTS = Elements(
    units={"BLOC_TEXTUEL": "Article"},
    texts=frozenset({"p", "P", "div", "blockquote"}),
    breaks=frozenset({"br", "BR"}),
    remarks={"NOTA": "Nota"},
    left_out={"META": _ABOUT, "CONTEXTE": _ABOUT, "VERSIONS": _ABOUT, "LIENS": _ABOUT,
              "SM": _ABOUT},
    labelled_texts=True,
)  # fmt: skip


class LegiTree(ElementTree):
    """Fills an act with its one article, whose number is in the data about the file."""

    def label_of(self, element: _Element) -> str:
        """Return the number of the article."""
        if local_name(element) != "BLOC_TEXTUEL":
            return ""
        return look_up(element.getroottree().getroot(), "NUM") or "unique"


class LegiReader(XmlActReader):
    """Reads one article, with the day from which it is law."""

    name = "legi"
    roots = frozenset({"ARTICLE"})
    mark = "<meta"
    called = "the XML of Légifrance"
    elements = ELEMENTS
    tree = LegiTree
    about = About(
        known={"jurisdiction": "FR", "language": "fr"},
        name=("META/ID",),
        title=("CONTEXTE/TITRE_TXT",),
        metadata={
            "valid_from": ("META/DATE_DEBUT",), "valid_to": ("META/DATE_FIN",),
            "status": ("META/ETAT",), "cid": ("TEXTE@cid",),
        },
    )  # fmt: skip
