"""The XML of Légifrance (LEGI, JORF): one article of a French code or act in each file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.xml.elements import Elements
from indexer.readers.xml.finding import attribute, first, first_text
from indexer.readers.xml.parsing import local_name
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree

if TYPE_CHECKING:
    from lxml.etree import _Element

_ABOUT, _OPEN_END = "data about the file", "2999-01-01"
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
        return first_text(element.getroottree().getroot(), "NUM") or "unique"


class LegiReader(XmlActReader):
    """Reads one article, with the day from which it is law."""

    name = "legi"
    roots = frozenset({"ARTICLE"})
    called = "the XML of Légifrance"
    elements = ELEMENTS
    tree = LegiTree

    def sniff(self, beginning: str) -> bool:
        """Return whether the first element is an article with the data of Légifrance."""
        return super().sniff(beginning) and "<META" in beginning

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        about = first(document, "META")
        ends = first_text(about, "DATE_FIN")
        metadata = {
            "jurisdiction": "FR",
            "language": "fr",
            "valid_from": first_text(about, "DATE_DEBUT"),
            "valid_to": "" if ends == _OPEN_END else ends,
            "status": first_text(about, "ETAT"),
            "cid": attribute(document, "TEXTE", "cid"),
        }
        name = first_text(about, "ID") or path.stem
        title = first_text(first(document, "CONTEXTE"), "TITRE_TXT")
        return Act(name, title, {k: v for k, v in metadata.items() if v})
