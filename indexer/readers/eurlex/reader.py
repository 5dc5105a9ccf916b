"""Acts as EUR-Lex shows them in HTML."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.eu_titles import (
    celex_number,
    celex_of_title,
    eu_act,
    iso_date,
    official_title,
)
from indexer.acts.provisions import Act
from indexer.readers.dom import classes, visible_text
from indexer.readers.eurlex.classes import ARTICLE_TITLES, DIVISION_TITLES
from indexer.readers.eurlex.tree import EurLexTree

if TYPE_CHECKING:
    from lxml.etree import _Element

_TITLES = ("title-doc-first", "doc-ti")


def is_eurlex(root: _Element) -> bool:
    """Return whether a page has the marks of EUR-Lex: its classes of titles, or ELI containers."""
    return any(
        not (ARTICLE_TITLES | DIVISION_TITLES | {"eli-container"}).isdisjoint(classes(element))
        for element in root.iter("p", "div")
    )


def read_eurlex(root: _Element, path: Path) -> Act:
    """Return the act of a page that `is_eurlex`; an act without provisions holds no text."""
    official = official_title(_printed_title(root))
    reference = _reference(root)
    celex, version = celex_number(reference) or celex_number(path.stem.upper()) or ("", "")
    celex = celex or celex_of_title(official)
    if celex.startswith("0"):
        celex = f"3{celex[1:]}"
        version = version or iso_date(reference)
    act = eu_act(path, official, celex, version, _language(root, reference))
    body = root.find("body")
    head = root.find("head")
    if head is not None:
        act.leave_out(" ".join(head.itertext()), "not part of the page's text")
    EurLexTree(act, root).build(root if body is None else body)
    return act


def _printed_title(root: _Element) -> str:
    """Return the words of the first run of title lines, with the article's "of" in small type."""
    for wanted in _TITLES:
        lines: list[str] = []
        for element in root.iter("p"):
            if wanted in classes(element):
                line = visible_text(element)
                if line in lines:
                    break
                lines.append(line)
            elif lines:
                break
        if lines:
            return " ".join(line for line in lines if "EEA relevance" not in line)
    return ""


def _reference(root: _Element) -> str:
    """Return the line that names a consolidated text, or else the title of the page."""
    for element in root.iter("p"):
        if "reference" in classes(element):
            return visible_text(element)
    title = next(root.iter("title"), None)
    return "" if title is None else " ".join("".join(title.itertext()).split())


def _language(root: _Element, reference: str) -> str:
    parts = [part.strip() for part in reference.split("—")]
    if len(parts) > 1 and len(parts[1]) == 2:
        return parts[1].lower()
    return (root.get("lang") or "")[:2].lower()
