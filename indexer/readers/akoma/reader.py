"""Akoma Ntoso (OASIS LegalDocML, versions 1 to 3): acts, bills, rulebooks and their annexes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.akoma.tree import ELEMENTS, AkomaTree
from indexer.readers.xml.beginning import root_name
from indexer.readers.xml.finding import attribute, child, first, text_of
from indexer.readers.xml.parsing import local_name
from indexer.readers.xml.reader import XmlActReader

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


class AkomaNtosoReader(XmlActReader):
    """Reads `.xml` and `.akn` files of one document each; every passage keeps its `eId`."""

    name = "akoma-ntoso"
    suffixes = frozenset({".xml", ".akn"})
    roots = frozenset({ROOT})
    called = "Akoma Ntoso"
    elements = ELEMENTS
    tree = AkomaTree

    def foreign(self, beginning: str) -> str:
        """Return a reason for other XML."""
        name = root_name(beginning)
        return "" if name == ROOT or not beginning.strip() else "not an Akoma Ntoso document"

    def document_of(self, root: _Element) -> _Element | None:
        """Return the first document of a kind that the standard knows."""
        return next((e for e in root if local_name(e) in DOCUMENTS), None)

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        meta = child(document, "meta")
        work, expression = first(meta, "FRBRWork"), first(meta, "FRBRExpression")
        uri = attribute(expression, "FRBRuri", "value")
        name = uri or attribute(expression, "FRBRthis", "value").partition("/!")[0]
        language = attribute(expression, "FRBRlanguage", "language")
        metadata = {
            "jurisdiction": attribute(work, "FRBRcountry", "value").upper(),
            "language": LANGUAGES.get(language, language),
            "version": attribute(expression, "FRBRdate", "date"),
            "date": attribute(work, "FRBRdate", "date"),
            "frbr_uri": attribute(work, "FRBRuri", "value"),
        }
        return Act(
            " ".join(name.strip("/").split()) or path.stem,
            _title(document, work),
            {key: value for key, value in metadata.items() if value},
        )


def _title(document: _Element, work: _Element | None) -> str:
    for name in ("shortTitle", "docTitle"):
        for front in (child(document, "preface"), child(document, "coverPage")):
            if text := text_of(first(front, name)):
                return text.removeprefix("(").removesuffix(")") if text[0] == "(" else text
    return attribute(work, "FRBRalias", "value") or attribute(work, "FRBRname", "value")
