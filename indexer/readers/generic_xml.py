"""XML of any other kind: read as a page of lines, whose units are found by number and word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act, Provision
from indexer.numbering.units.lines import unit_line
from indexer.pages.line import Line
from indexer.pages.numbers import is_number, line_number
from indexer.pages.tree import PageTree
from indexer.readers.xml.beginning import root_name
from indexer.readers.xml.parsing import local_name
from indexer.readers.xml.reader import XmlActReader
from indexer.tables import cell_of, grid, table_text
from indexer.titles import NAMES, is_title
from search.language import vocabulary

if TYPE_CHECKING:
    from lxml.etree import _Element

_ROWS = frozenset({"tr", "row"})
_NUMBERS = ("num", "number", "nr", "no", "n", "label")
"""Attributes that may hold the number of a unit whose text does not begin with it."""
_ABOUT = frozenset({
    "head", "header", "identification", "meta", "metadata", "metadaten", "metadatos", "metadonnees",
    "metainfo", "properties", "teiheader",
})  # fmt: skip
_CONTENTS = frozenset({"contents", "inhaltsuebersicht", "tableofcontents", "toc"})
_NO_DOCUMENTS = frozenset({
    "beans", "configuration", "feed", "manifest", "package", "plist", "project", "properties",
    "rdf", "relationships", "rss", "schema", "sitemapindex", "stylesheet", "svg", "types",
    "urlset", "workbook",
})  # fmt: skip
"""Root elements of settings, feeds and drawings, which folders of documents hold beside them."""
_FEWEST = 2
_TITLE_WORDS = 40


class GenericXmlReader(XmlActReader):
    """Reads an act in a format that no other reader knows; the format is named in its metadata."""

    name = "xml"

    def sniff(self, beginning: str) -> bool:
        """Return whether the text begins with any element of XML."""
        return beginning.lstrip("\ufeff \r\n\t").startswith("<") and bool(root_name(beginning))

    def foreign(self, beginning: str) -> str:
        """Return a reason for settings, feeds and drawings."""
        name = root_name(beginning)
        return f"XML of settings or data (<{name}>)" if name.lower() in _NO_DOCUMENTS else ""

    def document_of(self, root: _Element) -> _Element | None:
        """Return the whole file: whether it is an act shows when it is read."""
        return root

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its name and format, without provisions."""
        return Act(path.stem, _title(document), {"format": _format(document)})

    def fill(self, document: _Element, act: Act) -> None:
        """Put the provisions of the document into the act."""
        PageTree(act).build(list(_Lines(act).read(document)))

    def fault_of(self, document: _Element, act: Act) -> str:
        """Return why an act that was read cannot be used, or ""."""
        if sum(map(_numbered, act.provisions)) >= _FEWEST:
            return ""
        return (
            f"no reader supports this XML ({_format(document)}), and it contains no articles, "
            "sections or numbered lines; save the act as HTML or DOCX"
        )


class _Lines:
    """Yields the leaves of a tree as lines, a number joined to the text after it."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._number = ""

    def read(self, root: _Element) -> Iterator[Line]:
        yield from self._element(root)
        if self._number:
            yield Line(self._number)

    def _element(self, element: _Element) -> Iterator[Line]:
        name = local_name(element)
        if not name:
            return
        if name.lower() in _ABOUT:
            self._act.leave_out(" ".join(element.itertext()), "data about the file")
        elif name.lower() in _CONTENTS:
            self._act.leave_out(" ".join(element.itertext()), "a table of contents")
        elif any(local_name(e).lower() in _ROWS for e in element):
            yield from self._flush()
            yield Line(block=_table(element))
        elif not any(local_name(e) for e in element) or _is_mixed(element):
            yield from self._leaf(" ".join("".join(element.itertext()).split()), element)
        else:
            yield from self._attribute(element, name)
            for child in element:
                yield from self._element(child)

    def _leaf(self, text: str, element: _Element) -> Iterator[Line]:
        if not text:
            return
        place = element.sourceline or 0
        if is_number(text) and unit_line(text) is None:
            yield from self._flush()
            self._number = text
            return
        number, self._number = self._number, ""
        marked = number.rstrip(".")[:1].isdigit()
        if number and line_number(f"{number} X") is None:
            yield Line(number, label=True, place=place)
            number = ""
        yield Line(f"{number} {text}".strip(), marked=marked, place=place)

    def _attribute(self, element: _Element, name: str) -> Iterator[Line]:
        """Yield the number that an article or section has as an attribute, if its text has none."""
        unit = vocabulary.unit_of(name)
        if unit is None or vocabulary.units()[unit].kind != "rule":
            return
        number = next((v for a in _NUMBERS if (v := (element.get(a) or "").strip())), "")
        beginning = " ".join("".join(element.itertext()).split())[:80].lower()
        if number and number.lower().rstrip(".") not in beginning:
            yield Line(f"{name.capitalize()} {number}" if number[0].isdigit() else number)

    def _flush(self) -> Iterator[Line]:
        if self._number:
            yield Line(self._number)
        self._number = ""


def _numbered(provision: Provision) -> int:
    """Return how many numbered provisions there are, one and those below it."""
    return (provision.level != "frame" and bool(provision.number)) + sum(
        map(_numbered, provision.children())
    )


def _is_mixed(element: _Element) -> bool:
    return bool((element.text or "").strip()) or any((e.tail or "").strip() for e in element)


def _table(element: _Element) -> str:
    rows = (row for row in element.iter() if local_name(row).lower() in _ROWS)
    return table_text(grid([cell_of(c, "".join(c.itertext())) for c in row] for row in rows))


def _title(root: _Element) -> str:
    """Return the text of the first element that is called a title."""
    for element in root.iter():
        name = local_name(element).lower()
        if name in NAMES or name.endswith("title"):
            text = " ".join("".join(element.itertext()).split())
            if is_title(text) and len(text.split()) <= _TITLE_WORDS:
                return text
    return ""


def _format(root: _Element) -> str:
    """Return what names a format: its root element and its namespace."""
    tag = str(root.tag)
    space = tag[1:].partition("}")[0] if tag[:1] == "{" else ""
    return f"XML <{local_name(root)}>" + (f" of {space}" if space else "")
