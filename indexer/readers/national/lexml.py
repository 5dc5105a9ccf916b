"""The XML of lexml.gov.br: acts and bills of Brazil."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree

if TYPE_CHECKING:
    from lxml.etree import _Element

ELEMENTS = Elements(
    divisions=dict.fromkeys(("Parte", "Livro", "Titulo", "Capitulo", "Secao", "Subsecao"), ""),
    units={"Artigo": "Artigo"},
    items={"Paragrafo": "paragraph", "Inciso": None, "Alinea": None, "Item": None},
    annexes={"Anexo": "Anexo"},
    frames={"Preambulo": "Preamble", "ParteFinal": "Concluding formulas"},
    numbers=frozenset({"Rotulo"}),
    headings=frozenset({"NomeAgrupador", "TituloDispositivo"}),
    quotations=frozenset({"Alteracao"}),
    left_out={"Metadado": "data about the file", "Epigrafe": "the title of the act",
              "Ementa": "the title of the act"},
)  # fmt: skip


class LexmlTree(ElementTree):
    """Fills an act, in which a sole paragraph has a word for a number."""

    def number_of_item(self, element: _Element, label: str) -> str:
        """Return the number of an item; `Parágrafo único.` is `(único)`."""
        word, _, sole = label.strip(" .–-").rpartition(" ")
        return f"({sole})" if word and sole.isalpha() else super().number_of_item(element, label)


class LexmlReader(XmlActReader):
    """Reads one act or bill of Brazil."""

    name = "lexml"
    roots = frozenset({"LexML"})
    called = "the XML of lexml.gov.br"
    elements = ELEMENTS
    tree = LexmlTree
    about = About(
        known={"jurisdiction": "BR", "language": "pt"},
        name=("Metadado/Identificacao@URN",),
        title=("ParteInicial/Epigrafe",),
        metadata={"official_title": ("ParteInicial/Ementa",)},
    )
