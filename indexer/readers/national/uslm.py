"""United States Legislative Markup: the Code, public laws, bills and compilations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.xml.elements import Elements, words
from indexer.readers.xml.finding import child, first, first_text, text_of
from indexer.readers.xml.parsing import local_name
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree

if TYPE_CHECKING:
    from lxml.etree import _Element

_ABOUT = "data about the file"
ELEMENTS = Elements(
    divisions=words("title", "subtitle", "chapter", "subchapter", "part", "subpart", "division",
                    "subdivision", "article", "subarticle"),
    units={"section": "Section", "courtRule": "Rule"},
    items={"subsection": "paragraph", **dict.fromkeys((
        "paragraph", "subparagraph", "clause", "subclause", "item", "subitem", "subsubitem",
        "level", "listItem"))},
    annexes={"appendix": "Appendix", "schedule": "Schedule", "compiledAct": "Act",
             "reorganizationPlan": "Plan"},
    frames={"longTitle": "Preamble", "enactingFormula": "Preamble",
            "preamble": "Preamble", "endorsement": "Concluding formulas",
            "signatures": "Concluding formulas", "attestation": "Concluding formulas",
            "legislativeHistory": "Legislative history"},
    cross_headings=frozenset({"crossHeading"}),
    headings=frozenset({"heading", "subheading"}),
    texts=frozenset({"p", "content", "chapeau", "continuation", "text", "heading", "proviso"}),
    quotations=frozenset({"quotedContent"}),
    notes=frozenset({"footnote"}),
    remarks={"notes": "Notes", "note": "Notes", "statutoryNote": "Notes",
             "editorialNote": "Notes", "changeNote": "Notes"},
    left_out={"meta": _ABOUT, "toc": "a table of contents", "page": "the mark of a page",
              "sidenote": "a note in the margin", "centerRunningHead": "a running head",
              "runningHead": "a running head", "preface": "the title of the act",
              "coverTitle": _ABOUT, "coverText": _ABOUT, "endMarker": "the mark of the end",
              "sourceCredit": "a note on amendments and sources"},
    identifiers=("identifier", "id"),
    metadata={"status": "status", "startPeriod": "valid_from", "endPeriod": "valid_to"},
)  # fmt: skip


class UslmReader(XmlActReader):
    """Reads American federal law; every passage keeps its identifier, such as `/us/usc/t1/s7`."""

    name = "uslm"
    roots = frozenset({
        "uscDoc", "pLaw", "lawDoc", "bill", "resolution", "statutesAtLarge", "statuteCompilation",
        "amendment", "engrossedAmendment", "crfDoc", "document", "presidentialDoc",
    })  # fmt: skip
    called = "United States Legislative Markup"
    elements = ELEMENTS
    tree = ElementTree

    def sniff(self, beginning: str) -> bool:
        """Return whether the first element is one of the format's, in its namespace."""
        return super().sniff(beginning) and "uslm" in beginning.lower()

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        meta = child(document, "meta")
        cited = first_text(meta, "citableAs")
        released = re.search(r"\d{4}-\d{2}-\d{2}", first_text(meta, "created", "date"))
        metadata = {
            "jurisdiction": "US",
            "language": (document.get("{http://www.w3.org/XML/1998/namespace}lang") or "en")[:2],
            "version": released.group() if released else "",
            "date": first_text(meta, "approvedDate"),
            "official_title": first_text(meta, "title"),
            "citation": cited,
        }
        if local_name(document) == "uscDoc":
            heading = first_text(first(child(document, "main"), "title"), "heading")
            called = ", ".join(filter(None, ["United States Code", first_text(meta, "title")]))
            title = f"{called}: {heading.title()}" if heading else called
            return Act(path.stem, title, {k: v for k, v in metadata.items() if v})
        title = text_of(first(child(document, "main"), "shortTitle")) or first_text(meta, "title")
        if cited and cited not in title:
            title = f"{title} ({cited})"
        return Act(path.stem, title or path.stem, {k: v for k, v in metadata.items() if v})
