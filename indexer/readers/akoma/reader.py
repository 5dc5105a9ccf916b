"""Akoma Ntoso (OASIS LegalDocML, versions 1 to 3): acts, bills, rulebooks and their annexes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.acts.reader import ActReader
from indexer.problems import Problems
from indexer.readers.akoma.tree import AkomaTree
from indexer.readers.labels import control_fault
from indexer.readers.xml.beginning import root_name
from indexer.readers.xml.parsing import local_name, read_xml
from search.errors import InputError

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


class AkomaNtosoReader(ActReader):
    """Reads `.xml` and `.akn` files of one document each; every passage keeps its `eId`."""

    name = "akoma-ntoso"
    suffixes = frozenset({".xml", ".akn"})

    def sniff(self, beginning: str) -> bool:
        """Tell whether the first element is that of the standard."""
        return root_name(beginning) == ROOT

    def foreign(self, beginning: str) -> str:
        """Return a reason for other XML."""
        return "" if self.sniff(beginning) or not beginning.strip() else "is no Akoma Ntoso"

    def read_act(self, path: Path, problems: Problems) -> Act | None:
        """Return the tree of the document and what was left out, or None after noting why not."""
        root = read_xml(path, problems)
        if root is None:
            return None
        document = next((e for e in root if local_name(e) in DOCUMENTS), None)
        if local_name(root) != ROOT or document is None:
            problems.add(InputError("holds no document of Akoma Ntoso; give another file", path))
            return None
        act = _describe(document, path)
        if fault := control_fault("the name of the document", act.document_id):
            problems.add(InputError(f"{fault}; mend FRBRuri", path))
            return None
        AkomaTree(act).build(document)
        if not act.provisions:
            problems.add(InputError("holds no provision; give the text of the document", path))
            return None
        return act


def _describe(document: _Element, path: Path) -> Act:
    meta = _child(document, "meta")
    work, expression = _deep(meta, "FRBRWork"), _deep(meta, "FRBRExpression")
    name = _value(expression, "FRBRuri") or _value(expression, "FRBRthis").partition("/!")[0]
    language = _attribute(expression, "FRBRlanguage", "language")
    metadata = {
        "jurisdiction": _value(work, "FRBRcountry").upper(),
        "language": LANGUAGES.get(language, language),
        "version": _attribute(expression, "FRBRdate", "date"),
        "date": _attribute(work, "FRBRdate", "date"),
        "frbr_uri": _value(work, "FRBRuri"),
    }
    return Act(
        " ".join(name.strip("/").split()) or path.stem,
        _title(document, work),
        {key: value for key, value in metadata.items() if value},
    )


def _title(document: _Element, work: _Element | None) -> str:
    for name in ("shortTitle", "docTitle"):
        for front in (_child(document, "preface"), _child(document, "coverPage")):
            found = _deep(front, name)
            if found is not None and (text := " ".join("".join(found.itertext()).split())):
                return text
    return _value(work, "FRBRalias") or _value(work, "FRBRname")


def _child(element: _Element | None, name: str) -> _Element | None:
    return (
        next((e for e in element if local_name(e) == name), None) if element is not None else None
    )


def _deep(element: _Element | None, name: str) -> _Element | None:
    if element is None:
        return None
    return next((e for e in element.iter() if local_name(e) == name), None)


def _value(element: _Element | None, name: str) -> str:
    return _attribute(element, name, "value")


def _attribute(element: _Element | None, name: str, attribute: str) -> str:
    found = _deep(element, name)
    return "" if found is None else (found.get(attribute) or "").strip()
