"""Formex 4, the XML of the EU's Official Journal: acts as published and as consolidated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.eu_titles import (
    JURISDICTION,
    celex_of_title,
    document_id,
    iso_date,
    official_title,
    short_title,
)
from indexer.acts.provisions import Act
from indexer.acts.reader import ActReader
from indexer.problems import Problems
from indexer.readers.formex.deletions import drop_deleted
from indexer.readers.formex.tree import FormexTree
from indexer.readers.labels import control_fault
from indexer.readers.xml.beginning import root_name
from indexer.readers.xml.parsing import local_name, read_xml
from search.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element

ROOTS = frozenset({"ACT", "ANNEX", "CONS.ACT", "CONS.ANNEX", "CONS.DOC", "DECISION", "GENERAL"})
"""Root elements that hold the text of an act; others, such as DOC, only list files."""

_ABOUT = frozenset({"BIB.INSTANCE", "FAM.COMP", "INFO.CONSLEG", "INFO.PROD"})


class FormexReader(ActReader):
    """Reads `.xml` files of one act each."""

    name = "formex"
    suffixes = frozenset({".xml", ".fmx"})

    def sniff(self, beginning: str) -> bool:
        """Return whether the first element is one of Formex's."""
        return root_name(beginning) in ROOTS

    def foreign(self, beginning: str) -> str:
        """Return a reason for XML that is not an act."""
        name = root_name(beginning)
        return "" if not name or name in ROOTS else f"XML of another kind (<{name}>), not an act"

    def read_act(self, path: Path, problems: Problems) -> Act | None:
        """Return the tree of the act and what was left out, or None after noting why not."""
        root = read_xml(path, problems)
        if root is None:
            return None
        if local_name(root) not in ROOTS:
            problems.add(
                InputError(
                    f"<{local_name(root)}> is no act of Formex 4", path, code="source.invalid"
                )
            )
            return None
        act = _describe(root, path)
        if fault := control_fault("the name of the file", act.document_id):
            problems.add(InputError(f"{fault}; rename it", path, code="source.invalid"))
            return None
        drop_deleted(root, act)
        for element in [e for e in root.iter() if local_name(e) in _ABOUT]:
            act.leave_out(" ".join(element.itertext()), "data about the file")
            parent = element.getparent()
            if parent is not None:
                parent.remove(element)
        FormexTree(act).build(root)
        if not act.provisions:
            problems.add(
                InputError(
                    "contains no article, annex or recital; give the text of the act",
                    path,
                    code="source.empty",
                )
            )
            return None
        return act


def _describe(root: _Element, path: Path) -> Act:
    """Return an act with its names and dates, still without provisions."""
    official = official_title(_printed_title(root))
    celex = _first_text(root, "NO.CELEX") or celex_of_title(official)
    version = ""
    about = next(root.iter("INFO.CONSLEG"), None)
    if about is not None:
        version = iso_date(about.get("START.DATE", ""))
    language = _first_text(root, "LG.DOC") or _first_text(root, "LG.OJ")
    metadata = {
        "jurisdiction": JURISDICTION, "language": language.lower(), "celex": celex,
        "version": version, "official_title": official,
    }  # fmt: skip
    return Act(
        document_id(celex, version) if celex else path.stem,
        short_title(official),
        {name: value for name, value in metadata.items() if value},
    )


def _printed_title(root: _Element) -> str:
    for element in root.iter("TITLE"):
        parent = element.getparent()
        if parent is not None and local_name(parent) in {"BIB.DATA", *ROOTS}:
            lines = (" ".join("".join(p.itertext()).split()) for p in element.iter("P"))
            return " ".join(line for line in lines if line and "EEA relevance" not in line)
    return ""


def _first_text(root: _Element, name: str) -> str:
    element = next(root.iter(name), None)
    return "" if element is None else "".join(element.itertext()).strip()
