"""Formex 4, the XML of the EU's Official Journal: acts as published and as consolidated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.eu_titles import celex_of_title, eu_act, iso_date, official_title
from indexer.acts.provisions import Act
from indexer.readers.formex.deletions import drop_deleted
from indexer.readers.formex.tree import ELEMENTS, FormexTree
from indexer.readers.xml.finding import child, first, look_up, text_of
from indexer.readers.xml.parsing import detach, local_name
from indexer.readers.xml.reader import XmlActReader

if TYPE_CHECKING:
    from lxml.etree import _Element


class FormexReader(XmlActReader):
    """Reads `.xml` files of one act each."""

    name = "formex"
    suffixes = frozenset({".xml", ".fmx"})
    roots = frozenset({
        "ACT", "ANNEX", "CONS.ACT", "CONS.ANNEX", "CONS.DOC", "DECISION", "GENERAL",
    })  # fmt: skip
    """Those that hold the text of an act; others, such as DOC, only list files."""
    called = "Formex 4"
    elements = ELEMENTS
    tree = FormexTree
    instructions = True

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        official = _printed_title(document)
        return eu_act(
            path,
            official,
            look_up(document, "NO.CELEX") or celex_of_title(official),
            iso_date(look_up(document, "INFO.CONSLEG@START.DATE")),
            look_up(document, "LG.DOC", "LG.OJ").lower(),
        )

    def prepare(self, document: _Element, act: Act) -> None:
        """Leave out what was deleted and the title, and put numbers right below their items."""
        drop_deleted(document, act)
        for title in document.iter("TITLE"):
            above = title.getparent()
            if above is not None and local_name(above) in {"ACT", "CONS.DOC", "CONS.ACT"}:
                act.leave_out(" ".join(title.itertext()), "the title of the act")
                above.remove(title)
                break
        for item in list(document.iter("ITEM", "CONSID")):
            numbered = first(item, "NP") if item.tag == "CONSID" else child(item, "NP")
            if (number := child(numbered, "NO.P")) is not None:
                detach(number)
                item.insert(0, number)


def _printed_title(root: _Element) -> str:
    for element in root.iter("TITLE"):
        above = element.getparent()
        if above is not None and local_name(above) in {"BIB.DATA", *FormexReader.roots}:
            lines = map(text_of, element.iter("P"))
            return official_title(
                " ".join(line for line in lines if line and "EEA relevance" not in line)
            )
    return ""
