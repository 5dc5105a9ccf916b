"""The XML of Justice Laws, Canada: statutes and regulations in English and French."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexer.readers.xml.elements import LANGUAGE, About, Elements
from indexer.readers.xml.parsing import local_name, look_up
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree
from indexer.structuring.acts.provisions import VERSION_DAY, WORK, Level, Provision
from indexer.structuring.pages.amendments import NOT_IN_FORCE

if TYPE_CHECKING:
    from lxml.etree import _Element

_SPACE = "{http://justice.gc.ca/lims}"
_TERMS = ("DefinedTermEn", "DefinedTermFr")
_TO_COME = "NifProvs"
"""ID of the schedule of amendments that are not in force."""
ELEMENTS = Elements(
    units={"Section": "Section"},
    items={"Subsection": "paragraph", "Paragraph": None, "Subparagraph": None, "Clause": None,
           "Subclause": None, "Subsubclause": None, "Item": None, "Definition": "point"},
    annexes={"Schedule": "Schedule"},
    frames={"Preamble": "Preamble", "Enacts": "Preamble", "Order": "Preamble",
            "SignatureBlock": "Concluding formulas"},
    cross_headings=frozenset({"Heading", "GroupHeading"}),
    heads=frozenset({"ScheduleFormHeading"}),
    numbers=frozenset({"Label"}),
    headings=frozenset({"TitleText", "MarginalNote"}),
    texts=frozenset({"Text", "ContinuedSectionSubsection", "ContinuedParagraph"}),
    rows=frozenset({"row"}),
    cells=frozenset({"entry"}),
    tables=frozenset({"TableGroup", "table"}),
    quotations=frozenset({"ReadAsText", "AmendedText", "SectionPiece"}),
    notes=frozenset({"Footnote"}),
    left_out={"Identification": "data about the file", "OriginatingRef": "a reference to the act",
              "HistoricalNote": "a note on amendments and sources", "RecentAmendments":
              "a note on amendments and sources", "RelatedProvisions": "provisions of other acts"},
    identifiers=(f"{_SPACE}id",),
    metadata={f"{_SPACE}inforce-start-date": "valid_from", f"{_SPACE}inforce-end-date": "valid_to"},
    bare_in_annexes=True,
)  # fmt: skip


class CanadaTree(ElementTree):
    """Fills an act with provisions, whose headings are beside them with a level."""

    def opened(self, element: _Element, level: Level) -> Provision:
        """Return a provision; all in the schedule of amendments to come is not in force yet."""
        provision = super().opened(element, level)
        if element.get("id") == _TO_COME:
            provision.metadata["status"] = NOT_IN_FORCE
        return provision

    def rank_of(self, element: _Element) -> int:
        """Return the level of a heading."""
        level = element.get("level") or "1"
        return int(level) if level.isdigit() else 1

    def number_of_item(self, element: _Element, label: str) -> str:
        """Return the number of an item; a definition has its term in place of one."""
        if local_name(element) != "Definition":
            return super().number_of_item(element, label)
        french = str(element.getroottree().getroot().get(LANGUAGE)).startswith("fr")
        term = look_up(element, *_TERMS[:: -1 if french else 1])
        return f".{term.replace('.', '')}" if term else ""


class CanadaReader(XmlActReader):
    """Reads federal law of Canada, with the day from which each provision is law."""

    name = "justice-laws"
    roots = frozenset({"Statute", "Regulation"})
    called = "the XML of Justice Laws (Canada)"
    elements = ELEMENTS
    tree = CanadaTree
    about = About(
        known={"jurisdiction": "CA", "language": "en"},
        title=("Identification/ShortTitle", "Identification/LongTitle"),
        metadata={
            "language": (f"@{LANGUAGE}",),
            "version": (f"@{_SPACE}pit-date", f"@{_SPACE}current-date"),
            "valid_from": (f"@{_SPACE}pit-date",), VERSION_DAY: (f"@{_SPACE}pit-date",),
            WORK: ("Identification/ConsolidatedNumber", "Identification/InstrumentNumber"),
            "number": ("Identification/ConsolidatedNumber", "Identification/InstrumentNumber"),
            "official_title": ("Identification/LongTitle",),
        },
    )  # fmt: skip
