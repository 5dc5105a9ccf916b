"""Crown Legislation Markup, the XML of legislation.gov.uk: acts, orders and regulations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.parsing import detach, first, local_name, text_of
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree
from indexer.structuring.acts.eu_titles import iso_date
from indexer.structuring.acts.provisions import VERSION_DAY, WORK, Act, Level, Provision

if TYPE_CHECKING:
    from lxml.etree import _Element

_KINDS = ("section", "article", "regulation", "rule")
_PRELIMS = ("PrimaryPrelims", "SecondaryPrelims", "EUPrelims")
_TITLES = frozenset({"Title", "Number", "Correction", "DateOfEnactment"})
_BRACKETED = frozenset({"P2", "P3", "P4", "P5", "P6", "P7"})
_ABOUT, _AMENDED = "data about the file", "a note on amendments and sources"
ELEMENTS = Elements(
    divisions={"Group": "", "Part": "Part", "Chapter": "Chapter", "Pblock": "", "PsubBlock": "",
               "EUPart": "Part", "EUTitle": "Title", "EUChapter": "Chapter",
               "EUSection": "Section", "EUSubsection": "Subsection", "Division": ""},
    units={"P1": "Section"},
    items={"P2": "paragraph", "P3": None, "P4": "point", "P5": "point", "P6": "point",
           "P7": "point", "ListItem": "point"},
    annexes={"Schedule": "Schedule", "Annex": "Annex", "Appendix": "Appendix"},
    frames={"PrimaryPreamble": "Preamble", "SecondaryPreamble": "Preamble",
            "EUPreamble": "Preamble", "IntroductoryText": "Preamble",
            "ExplanatoryNotes": "Explanatory note", "EarlierOrders": "Earlier orders",
            "SignedSection": "Concluding formulas"},
    groups=frozenset({"P1group", "P2group", "P3group"}),
    heads=frozenset({"TitleBlock"}),
    numbers=frozenset({"Number", "Pnumber"}),
    headings=frozenset({"Title", "Subtitle"}),
    texts=frozenset({"Text", "Para", "LongTitle"}),
    quotations=frozenset({"BlockAmendment", "BlockExtract"}),
    notes=frozenset({"Footnote"}),
    note_references={"FootnoteRef": "Ref"},
    left_out={"Metadata": _ABOUT, "Contents": "a table of contents",
              "Commentaries": _AMENDED, "CommentaryRef": _AMENDED, "Resources": _ABOUT,
              "Versions": "another version of a provision", "Reference": "a reference to the act",
              "MarginNotes": _AMENDED, "MarginNoteRef": _AMENDED},
    metadata={"RestrictStartDate": "valid_from", "RestrictEndDate": "valid_to",
              "RestrictExtent": "extent", "Status": "status"},
    bare_in_annexes=True,
)  # fmt: skip


class ClmlTree(ElementTree):
    """Fills an act with provisions, whose addresses say what they are."""

    def word_of(self, element: _Element) -> str:
        """Return `Section`, `Regulation`, `Article` or `Rule`."""
        address = (element.get("IdURI") or element.get("id") or "").lower()
        found = next(
            (kind for kind in _KINDS if f"{kind}/" in address or f"{kind}-" in address), ""
        )
        return found.capitalize() or self.elements.units["P1"]

    def label_of(self, element: _Element) -> str:
        """Return the bullet of an item without a number."""
        listed = element.getparent()
        bullet = listed is not None and listed.get("Decoration") == "bullet"
        return "•" if local_name(element) == "ListItem" and bullet else ""

    def opened(self, element: _Element, level: Level) -> Provision:
        """Return a provision; below a unit the brackets around a number are left to the printer.

        A wording that does not match the day of the file is the law of another one.
        """
        provision = super().opened(element, level)
        if element.get("Match") == "false":
            provision.metadata.setdefault("status", "not in force")
        if local_name(element) in _BRACKETED and provision.label.isalnum():
            provision.label = f"({provision.label})"
        return provision


class ClmlReader(XmlActReader):
    """Reads legislation of the United Kingdom, with the day from which each provision is law."""

    name = "clml"
    roots = frozenset({"Legislation"})
    called = "Crown Legislation Markup"
    elements = ELEMENTS
    tree = ClmlTree
    about = About(
        known={"jurisdiction": "UK"},
        name=("@DocumentURI", "Metadata/identifier"),
        title=("Metadata/title", *(f"{prelims}/Title" for prelims in _PRELIMS)),
        metadata={
            "language": ("Metadata/language",),
            "version": ("Metadata/valid", "@RestrictStartDate"),
            VERSION_DAY: ("Metadata/valid", "@RestrictStartDate"),
            "date": ("Metadata/EnactmentDate@Date", "Metadata/Made@Date"),
            "in_force": ("Metadata/ComingIntoForce/DateTime@Date",),
            "uri": ("@DocumentURI", "Metadata/identifier"),
        },
    )

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates; its name is the end of its address, which may
        have a day.
        """
        act = super().describe(document, path)
        name = act.document_id.partition("legislation.gov.uk/")[2].removesuffix("/enacted")
        act.document_id = name or path.stem
        before, _, last = act.document_id.rpartition("/")
        day = iso_date(last)
        act.metadata[WORK] = before if day else act.document_id
        if day:
            act.metadata.setdefault(VERSION_DAY, day)
        return act

    def prepare(self, document: _Element, act: Act) -> None:
        """Leave out the titles of the act."""
        prelims = first(document, *_PRELIMS)
        for title in list(prelims) if prelims is not None else ():
            if local_name(title) in _TITLES:
                act.leave_out(text_of(title), "the title of the act")
                detach(title)
