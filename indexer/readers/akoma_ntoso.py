"""Akoma Ntoso (OASIS LegalDocML, versions 1 to 3): acts, bills, rulebooks and their annexes.

Names of elements: OASIS LegalDocML 1.0, part 2. It knows the standard, and no publisher.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from indexer.readers.columns import names
from indexer.readers.xml.elements import About, Elements, words
from indexer.readers.xml.parsing import child, detach, first, local_name, look_up, text_of
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.tree import ElementTree
from indexer.structuring.acts.eu_titles import iso_date
from indexer.structuring.acts.provisions import VERSION_DAY, WORK, Act, Provision
from indexer.titles import first_title
from search.provisions.jurisdictions import state_of

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
    metadata={"status": "status"},
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
            known = named in self.text.blocks or named in self.elements.left_out
            numbered = name == "hcontainer" and child(element, "num") is not None
            return "rule" if numbered and not known else named
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


def _among_levels(element: _Element) -> bool:
    """Whether a division is a level by its place and number: `2.` below level `I.`."""
    above = element.getparent()
    among = above is not None and local_name(above) == "level"
    return among and _BARE.fullmatch(text_of(child(element, "num")).strip()) is not None


def _inner(element: _Element) -> _Element | None:
    return next((e for e in element if local_name(e) in {"doc", "statement"}), None)


ROOT = "akomaNtoso"
DOCUMENTS = frozenset({
    "act", "amendment", "amendmentList", "bill", "debate", "debateReport", "doc",
    "documentCollection", "judgment", "officialGazette", "portion", "statement",
})  # fmt: skip
"""Kinds of documents of the standard; those with provisions are read."""

_FRONT = ("preface", "coverPage")
_CONSOLIDATED = "/consolide/"
"""Part of the address (ELI) of a consolidated text, before its day."""
_DAY = re.compile(r"[/@](\d{4}-?\d\d-?\d\d)(?!\d)")


class AkomaNtosoReader(XmlActReader):
    """Reads `.xml` and `.akn` files of one document each; every passage keeps its `eId`."""

    name = "akoma-ntoso"
    suffixes = frozenset({".xml", ".akn"})
    roots = frozenset({ROOT})
    called = "Akoma Ntoso"
    elements = ELEMENTS
    tree = AkomaTree
    about = About(metadata={
        "jurisdiction": ("meta/FRBRWork/FRBRcountry@value",),
        "version": ("meta/FRBRExpression/FRBRdate@date",),
        "date": ("meta/FRBRWork/FRBRdate@date",), "frbr_uri": ("meta/FRBRWork/FRBRuri@value",),
    })  # fmt: skip

    def document_of(self, root: _Element) -> _Element | None:
        """Return the first document of a kind that the standard knows."""
        kinds = DOCUMENTS if super().document_of(root) is not None else ()
        document = next((e for e in root if local_name(e) in kinds), None)
        for body in root.iter("{*}mainBody") if document is not None else ():
            if document not in body.iterancestors():
                _attach(document, body)
        return document

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        act = super().describe(document, path)
        expression = "meta/FRBRExpression/"
        name = look_up(document, f"{expression}FRBRuri@value", f"{expression}FRBRthis@value")
        act.document_id = " ".join(name.partition("/!")[0].strip("/").split()) or path.stem
        act.title = _title(document)
        if country := act.metadata.get("jurisdiction"):
            act.metadata["jurisdiction"] = state_of(country) or str(country).upper()
        if language := look_up(document, f"{expression}FRBRlanguage@language"):
            language = language.rpartition("/")[2].lower()
            act.metadata["language"] = names("languages").get(language, language)
        work, days = _version(document)
        day = next(iter(days), "")
        if day:
            act.metadata |= {WORK: work, VERSION_DAY: days, "version": day}
        act.title = _without_day(act.title, day)
        for event in document.iterfind("{*}meta/{*}lifecycle/{*}eventRef"):
            if event.get("type") == "repeal" and (day := event.get("date")):
                act.metadata["repealed"] = day
        return act


def _attach(document: _Element, body: _Element) -> None:
    """Put a schedule that is a component beside the act into the act."""
    schedule = body[0] if len(body) == 1 else body
    schedule.tag = f"{str(schedule.tag).rpartition('}')[0]}}}attachment".removeprefix("}")
    document.append(schedule)


def _amended(document: _Element) -> Iterator[str]:
    """Yield the days of the amendments that a text has."""
    for event in document.iterfind("{*}meta/{*}lifecycle/{*}eventRef"):
        if event.get("type") == "amendment" and event.get("originatingExpression") == "true":
            yield iso_date(event.get("date", ""))


def _applicable(document: _Element) -> Iterator[str]:
    """Yield what elements of that name say, the publisher's own too: `x:data x:name="…"`."""
    meta = child(document, "meta")
    for one in meta.iter("{*}*") if meta is not None else ():
        named = {name.rpartition("}")[2]: value for name, value in one.items()}
        if "dateApplicability" in (local_name(one), named.get("name")):
            yield one.get("date") or text_of(one)


def _period(document: _Element) -> str:
    """Return the first day of the period that a document gives itself (`temporalData`)."""
    meta = child(document, "meta")
    told = meta.iter("{*}eventRef", "{*}temporalGroup") if meta is not None else ()
    places = {one.get("eId") or one.get("id"): one for one in told}
    group = places.get(document.get("period", "").removeprefix("#"))
    start = look_up(group, "timeInterval@start").removeprefix("#")
    return iso_date(places[start].get("date", "")) if start in places else ""


def _without_day(title: str, day: str) -> str:
    """Return a title without what it says of the day of its version before or after a colon."""
    figures = {*day.split("-")}
    parts = re.split(r"\s*:\s+", title)
    kept = [one for one in parts if not figures <= {*re.findall(r"\d+", one)}]
    return ": ".join(kept) if day and kept and len(kept) < len(parts) else title


def _version(document: _Element) -> tuple[str, tuple[str, ...]]:
    """Return the address of the work, without host and date, and from which day its text is law, by
    the surest of the places that name one, then as others have it.
    """
    work, expression = (
        urlsplit(look_up(document, f"meta/{one}/FRBRuri@value", f"meta/{one}/FRBRthis@value"))
        .path.partition("/!")[0].strip("/")
        for one in ("FRBRWork", "FRBRExpression")
    )  # fmt: skip
    work = work.partition(_CONSOLIDATED)[0]
    dated = _DAY.search(expression.removeprefix(work)) if expression.startswith(work) else None
    days = [
        _period(document),
        max(_amended(document), default=""),
        *map(iso_date, _applicable(document)),
        iso_date(dated[1]) if dated else "",
    ]
    return work, tuple(dict.fromkeys(filter(None, days)))


def _title(document: _Element) -> str:
    called = ("shortTitle", "docTitle", "longTitle")
    places = ((front, name) for name in called for front in _FRONT)
    printed = (text_of(first(child(document, front), name)) for front, name in places)
    bare = (
        text.removeprefix("(").removesuffix(")") if text[:1] == "(" else text for text in printed
    )
    names = (look_up(document, f"meta/FRBRWork/{name}@value") for name in ("FRBRalias", "FRBRname"))
    return first_title((*bare, *names))
