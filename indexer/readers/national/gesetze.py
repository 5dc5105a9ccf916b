"""The XML of gesetze-im-internet.de: German federal law, one `norm` for each section."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.parsing import child, first, local_name, look_up, text_of
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree
from indexer.structuring.acts.eu_titles import iso_date
from indexer.structuring.acts.provisions import Act, Provision, receiver
from search.language import vocabulary

if TYPE_CHECKING:
    from lxml.etree import _Element

_DIGITS_A_LEVEL = 3
_ANNEX = re.compile(rf"{vocabulary.pattern(['annex'], 'de')}\b", re.IGNORECASE)
_FRAMES = {
    "eingangsformel": "Preamble",
    "präambel": "Preamble",
    "schlussformel": "Concluding formulas",
    "schlußformel": "Concluding formulas",
}
_CONTENTS = re.compile(r"inhalts(?:übersicht|verzeichnis)", re.IGNORECASE)
ELEMENTS = Elements(
    units={"norm": ""},
    items={"DT-DD": "point"},
    numbers=frozenset(),
    headings=frozenset(),
    texts=frozenset({"P", "LA", "Title", "Subtitle", "SP"}),
    tables=frozenset({"table"}),
    quotations=frozenset({"kommentar"}),
    breaks=frozenset({"BR"}),
    figures={"IMG": "alt"},
    notes=frozenset({"Footnote"}),
    note_references={"FnR": "ID"},
    left_out={"metadaten": "data about the file", "TOC": "a table of contents",
              "fussnoten": "a note on amendments and sources"},
    identifiers=("doknr", "ID"),
    labelled_texts=True,
)  # fmt: skip


class GesetzeTree(ElementTree):
    """Fills an act with its norms: sections, headings of divisions, annexes."""

    def block(self, element: _Element, target: Provision) -> None:
        """Add one norm, or a block within one."""
        name = local_name(element)
        if name == "norm":
            self._norm(element, target)
        elif name == "DL":
            self._list(element, target)
        else:
            super().block(element, target)

    def label_of(self, element: _Element) -> str:
        """Return what a norm is called: `§ 1`."""
        return look_up(child(element, "metadaten"), "enbez")

    def _norm(self, element: _Element, target: Provision) -> None:
        about = child(element, "metadaten")
        called, titled = look_up(about, "enbez"), look_up(about, "titel")
        unit = first(about, "gliederungseinheit")
        if unit is not None:
            self._heading(unit, target)
        if _CONTENTS.match(called):
            self.act.leave_out(text_of(element), "a table of contents")
        elif frame := _FRAMES.get(called.lower()):
            opened = Provision("frame", frame, place=element.sourceline or 0)
            self.fill(element, opened)
            target.parts.append(opened)
        elif _ANNEX.match(called):
            self._in_annex(element, Provision("annex", called, titled), target)
        elif called:
            self._grouped = titled
            self._unit(element, target)
        else:
            self.fill(element, target)

    def _heading(self, unit: _Element, target: Provision) -> None:
        """Open a division: its key number has three digits a level."""
        heading = Provision("division", label=look_up(unit, "gliederungsbez"))
        heading.heading = look_up(unit, "gliederungstitel")
        heading.rank = max(1, len(look_up(unit, "gliederungskennzahl")) // _DIGITS_A_LEVEL)
        self.number_division(heading, "")
        receiver(target, heading.rank).parts.append(heading)

    def _list(self, element: _Element, target: Provision) -> None:
        """Add the items of a list, whose numbers and texts alternate."""
        label = ""
        for entry in element:
            if local_name(entry) == "DT":
                label = text_of(entry)
            elif local_name(entry) == "DD":
                item = Provision("point", f"({label.strip('().')})" if label else "", label=label)
                self.fill(entry, item)
                self._add([item], target)
                label = ""


class GesetzeReader(XmlActReader):
    """Reads one law of the German federation."""

    name = "gesetze-im-internet"
    roots = frozenset({"dokumente"})
    called = "the XML of gesetze-im-internet.de"
    elements = ELEMENTS
    tree = GesetzeTree
    about = About(
        known={"jurisdiction": "DE", "language": "de"},
        title=("metadaten/kurzue", "metadaten/langue"),
        metadata={
            "abbreviation": ("metadaten/amtabk", "metadaten/jurabk"),
            "date": ("metadaten/ausfertigung-datum",),
            "status": ("metadaten/standkommentar",), "official_title": ("metadaten/langue",),
        },
    )  # fmt: skip

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates; its title tells the abbreviation."""
        act = super().describe(document, path)
        act.document_id = path.stem
        short = str(act.metadata.get("abbreviation", ""))
        if short not in act.title:
            act.title = f"{act.title} ({short})" if act.title else short
        if version := iso_date(document.get("builddate", "")[:8]):
            act.metadata["version"] = version
        return act
