"""Akoma Ntoso (OASIS LegalDocML, versions 1 to 3): acts, bills, rulebooks and their annexes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.akoma.tree import ELEMENTS, AkomaTree
from indexer.readers.xml.about import About
from indexer.readers.xml.finding import child, first, look_up, text_of
from indexer.readers.xml.parsing import local_name
from indexer.readers.xml.reader import XmlActReader
from indexer.titles import first_title

if TYPE_CHECKING:
    from lxml.etree import _Element

ROOT = "akomaNtoso"
DOCUMENTS = frozenset({
    "act", "amendment", "amendmentList", "bill", "debate", "debateReport", "doc",
    "documentCollection", "judgment", "officialGazette", "portion", "statement",
})  # fmt: skip
"""Kinds of documents of the standard; those with provisions are read."""

LANGUAGES = {
    "bul": "bg", "ces": "cs", "dan": "da", "deu": "de", "ell": "el", "eng": "en", "est": "et",
    "fin": "fi", "fra": "fr", "gle": "ga", "hrv": "hr", "hun": "hu", "ita": "it", "lav": "lv",
    "lit": "lt", "mlt": "mt", "nld": "nl", "pol": "pl", "por": "pt", "ron": "ro", "slk": "sk",
    "slv": "sl", "spa": "es", "swe": "sv",
}  # fmt: skip
"""ISO 639-2 codes, which the standard uses, of the EU's languages → ISO 639-1."""


_FRONT = ("preface", "coverPage")


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
            act.metadata["jurisdiction"] = str(country).upper()
        if language := look_up(document, f"{expression}FRBRlanguage@language"):
            act.metadata["language"] = LANGUAGES.get(language, language)
        return act


def _attach(document: _Element, body: _Element) -> None:
    """Put a schedule that is a component beside the act into the act."""
    schedule = body[0] if len(body) == 1 else body
    schedule.tag = f"{str(schedule.tag).rpartition('}')[0]}}}attachment".removeprefix("}")
    document.append(schedule)


def _title(document: _Element) -> str:
    places = ((front, name) for name in ("shortTitle", "docTitle") for front in _FRONT)
    printed = (text_of(first(child(document, front), name)) for front, name in places)
    bare = (
        text.removeprefix("(").removesuffix(")") if text[:1] == "(" else text for text in printed
    )
    names = (look_up(document, f"meta/FRBRWork/{name}@value") for name in ("FRBRalias", "FRBRname"))
    return first_title((*bare, *names))
