"""United States Legislative Markup: the Code, public laws, bills and compilations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.xml.elements import LANGUAGE, About, Elements, words
from indexer.readers.xml.parsing import local_name, look_up
from indexer.readers.xml.reader import XmlActReader
from indexer.structuring.acts.provisions import VERSION_DAY, WORK, Act

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
    mark = "uslm"
    called = "United States Legislative Markup"
    elements = ELEMENTS

    about = About(
        known={"jurisdiction": "US", "language": "en"},
        title=("main/shortTitle", "meta/title"),
        metadata={
            "language": (f"@{LANGUAGE}",), "version": ("meta/created", "meta/date"),
            VERSION_DAY: ("@startPeriod", "main@startPeriod"),
            WORK: ("@identifier", "main@identifier"),
            "date": ("meta/approvedDate",), "official_title": ("meta/title",),
            "citation": ("meta/citableAs",),
        },
    )  # fmt: skip

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates; a title of the Code says so."""
        act = super().describe(document, path)
        cited = str(act.metadata.get("citation", ""))
        if local_name(document) == "uscDoc":
            heading = look_up(document, "main/title/heading").title()
            parts = ("United States Code", look_up(document, "meta/title"))
            act.title = ": ".join(filter(None, [", ".join(filter(None, parts)), heading]))
        elif cited not in act.title:
            act.title = f"{act.title} ({cited})".strip()
        act.title = act.title or path.stem
        return act
