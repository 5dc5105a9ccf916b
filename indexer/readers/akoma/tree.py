"""The elements of Akoma Ntoso as provisions (names: OASIS LegalDocML 1.0, part 2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.acts.provisions import Provision
from indexer.readers.xml.elements import Elements, words
from indexer.readers.xml.finding import child, text_of
from indexer.readers.xml.parsing import detach, local_name
from indexer.readers.xml.tree import ElementTree

if TYPE_CHECKING:
    from lxml.etree import _Element

INLINE = frozenset({
    "a", "abbr", "affectedDocument", "authorialNote", "b", "br", "change", "concept", "date", "def",
    "del", "docAuthority", "docDate", "docNumber", "docProponent", "docPurpose", "docStage",
    "docStatus", "docTitle", "docType", "docketNumber", "entity", "eol", "event", "fillIn", "i",
    "img", "inline", "ins", "judge", "lawyer", "legislature", "location", "marker", "mmod", "mod",
    "mref", "neutralCitation", "noteRef", "num", "object", "omissis", "opinion", "organization",
    "outcome", "party", "person", "placeholder", "process", "quantity", "quotedText", "ref",
    "relatedDocument", "remark", "rmod", "role", "rref", "session", "shortTitle", "signature",
    "span", "sub", "sup", "term", "time", "u", "vote",
})  # fmt: skip
"""Elements that are in a line of text."""

TITLE, ABOUT = "the title of the act", "data about the file"

_BARE = re.compile(r"(?:\d{1,3}|[A-Za-z]{1,2}|[IVXLivxl]+)(?:bis|ter|quater)?[.)]?")
"""A number without a word."""

ELEMENTS = Elements(
    divisions={
        **words("book", "chapter", "division", "part", "subchapter", "subdivision", "subpart",
                "subtitle", "title", "tome"), "transitional": "",
    },
    units=words("article", "section", "rule", "regulation"),
    items=dict.fromkeys((
        "alinea", "clause", "indent", "item", "level", "li", "paragraph", "point", "proviso",
        "subclause", "sublist", "subparagraph", "subrule", "subsection",
    )),
    annexes={"annex": "Annex", "appendix": "Appendix", "attachment": "Annex",
             "schedule": "Schedule"},
    frames={"preamble": "Preamble", "conclusions": "Concluding formulas"},
    recitals=frozenset({"recital"}),
    cross_headings=frozenset({"crossHeading", "crossheading"}),
    headings=frozenset({"heading", "subheading"}),
    inline=INLINE,
    quotations=frozenset({"quotedStructure"}),
    notes=frozenset({"authorialNote"}),
    note_references={"noteRef": "href"},
    breaks=frozenset({"br", "eol"}),
    left_out={"toc": "a table of contents", "meta": ABOUT, "preface": TITLE, "coverPage": TITLE,
              "del": "deleted text"},
    identifiers=("eId", "id"),
)  # fmt: skip


class AkomaTree(ElementTree):
    """Fills an act with the provisions of a document of the standard."""

    def name_of(self, element: _Element) -> str:
        """Return what an element is: a generic container says it in its attribute `name`."""
        name = local_name(element)
        if name in {"hcontainer", "container", "tblock"}:
            named = str(element.get("name") or name)
            if (
                name == "hcontainer"
                and not self._known(named)
                and child(element, "num") is not None
            ):
                return "rule"
            return named
        if name in self.elements.divisions and _among_levels(element):
            return "level"
        return name

    def word_of(self, element: _Element) -> str:
        """Return the word of a unit; numbers such as 3.5.8 and those of containers have none."""
        name = local_name(element)
        number = text_of(child(element, "num")).strip(" .")
        if name not in self.elements.units or "." in number:
            return ""
        return self.elements.units[name]

    def _attachment(self, element: _Element, target: Provision) -> None:
        """Add an annex: its kind and its title may be in the document that it holds."""
        inner = _inner(element)
        for preface in list(inner) if inner is not None else ():
            if local_name(preface) not in {"preface", "coverPage"}:
                continue
            if child(element, "num", "heading") is None and local_name(preface) == "preface":
                heading = element.makeelement("heading")
                heading.text = text_of(preface)
                element.insert(0, heading)
            else:
                self.act.leave_out(text_of(preface), "the title of an annex")
            detach(preface)
        super()._attachment(element, target)

    def annex_word(self, element: _Element) -> str:
        """Return what an annex is called; the document in it may say so."""
        inner = _inner(element)
        kind = (inner.get("name", "") if inner is not None else "").lower()
        named = kind and kind != "attachment" and kind in self.elements.annexes
        return self.elements.annexes[kind] if named else super().annex_word(element)

    def _known(self, name: str) -> bool:
        table = self.elements
        return any(
            name in names
            for names in (table.divisions, table.units, table.items, table.annexes, table.frames,
                          table.recitals, table.cross_headings, table.quotations, table.left_out)
        )  # fmt: skip


def _among_levels(element: _Element) -> bool:
    """Whether a division is a level by its place and number: `2.` below level `I.`."""
    above = element.getparent()
    among = above is not None and local_name(above) == "level"
    return among and _BARE.fullmatch(text_of(child(element, "num")).strip()) is not None


def _inner(element: _Element) -> _Element | None:
    return next((e for e in element if local_name(e) in {"doc", "statement"}), None)
