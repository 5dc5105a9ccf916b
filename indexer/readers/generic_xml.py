"""XML of any other kind: read as a page of lines, whose units are found by number and word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.columns import dated, is_code, names
from indexer.readers.xml.kinds import Kinds, fields_of
from indexer.readers.xml.parsing import is_mixed, local_name, namespace, root_name, text_of
from indexer.readers.xml.reader import XmlActReader
from indexer.readers.xml.repeated import RepeatedTree
from indexer.structuring.acts.granularity import DEFAULT_GRANULARITY
from indexer.structuring.acts.passages import passages_of
from indexer.structuring.acts.provisions import VERSION_DAY, Act, Provision
from indexer.structuring.labels.numbers import is_number, line_number
from indexer.structuring.labels.units import unit_line
from indexer.structuring.pages.line import CONTENTS, Line
from indexer.structuring.pages.tree import PageTree
from indexer.tables import cell_of, grid, table_text
from indexer.titles import NAMES, is_title
from search.records import MetadataValue

if TYPE_CHECKING:
    from lxml.etree import _Element

_FEWEST = 2
_MOST_ABOUT = 3
"""Elements of one name that are about the file; more are heads of provisions."""
_BETTER = 1.2
"""How much better lines must be than elements that the source parts."""
_LONGEST = 6_000
"""Characters of one passage that are below its number; more have lost theirs."""
_FINER = 0.35
"""Power of how many numbers there are: it decides where readings have nearly the same share."""
_TITLE_WORDS = 40


class GenericXmlReader(XmlActReader):
    """Reads an act in a format that no other reader knows; the format is named in its metadata."""

    name = "xml"
    tree = RepeatedTree

    def sniff(self, beginning: str) -> bool:
        """Return whether the text begins with any element of XML."""
        return beginning.lstrip("\ufeff \r\n\t").startswith("<") and bool(root_name(beginning))

    def foreign(self, beginning: str) -> str:
        """Return a reason for settings, feeds and drawings."""
        name = root_name(beginning)
        return f"XML of settings or data (<{name}>)" if name.lower() in names("settings") else ""

    def document_of(self, root: _Element) -> _Element | None:
        """Return the whole file: whether it is an act shows when it is read."""
        for element in root.iter("{*}*"):
            name, value = element.get("name"), element.get("value")
            parent = element.getparent()
            if name and value and parent is not None and name not in parent.attrib:
                parent.set(
                    "".join(c if c.isalnum() else "_" for c in f"{name[:1]}{name[1:]}"), value
                )
        return root

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its name and format, without provisions."""
        about: dict[str, MetadataValue] = {"format": _format(document)}
        about.update(dated(_about(document)))
        if day := about.get("valid_from"):
            about[VERSION_DAY] = day
        return Act(path.stem, _title(document), about)

    def fill(self, document: _Element, act: Act) -> None:
        """Put the provisions of the document into the act: by its kinds, or as lines of a page."""
        tags = Counter(map(local_name, document.iter("{*}*")))
        left_out = {
            name: reason
            for part, reason in (("about", "data about the file"), ("contents", CONTENTS))
            for name, count in tags.items()
            if name.lower() in names(part) and count <= _MOST_ABOUT
        }
        page = Act(act.document_id, act.title)
        PageTree(page).build(list(_Lines(page, left_out).read(document)))
        tree = Act(act.document_id, act.title)
        kinds = Kinds(document, left_out)
        self.tree(tree, kinds, left_out).build(document)
        better = page if _evidence(page) > _BETTER * _evidence(tree) else tree
        act.provisions, act.left_out = better.provisions, better.left_out

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

    def __init__(self, act: Act, left_out: Mapping[str, str]) -> None:
        self._act = act
        self._left_out = left_out
        self._number = ""

    def read(self, root: _Element) -> Iterator[Line]:
        yield from self._element(root)
        if self._number:
            yield Line(self._number)

    def _element(self, element: _Element) -> Iterator[Line]:
        name = local_name(element)
        if not name:
            return
        if name in self._left_out:
            self._act.leave_out(" ".join(element.itertext()), self._left_out[name])
        elif any(local_name(e).lower() in names("rows") for e in element):
            yield from self._flush()
            yield Line(block=_table(element))
        elif not any(local_name(e) for e in element) or is_mixed(element):
            yield from self._leaf(text_of(element), element)
        else:
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

    def _flush(self) -> Iterator[Line]:
        if self._number:
            yield Line(self._number)
        self._number = ""


def _numbered(provision: Provision) -> int:
    return (provision.level != "frame" and bool(provision.number)) + sum(
        map(_numbered, provision.children())
    )


def _evidence(act: Act) -> float:
    """Return how well an act was read: the share of words below a number that no other has."""
    found = list(passages_of(act, DEFAULT_GRANULARITY, ""))
    words, numbers = Counter[bool](), Counter[str]()
    for one in found:
        own = bool(is_code(one.passage_id) or unit_line(one.passage_id))
        words[own] += min(len(one.text), _LONGEST)
        words[False] += max(0, len(one.text) - _LONGEST)
        numbers[one.passage_id] += own
    shares = words[True] / max(1, words.total()) * len(+numbers) / max(1, numbers.total())
    return float(shares * len(+numbers) ** _FINER)


def _table(element: _Element) -> str:
    rows = (row for row in element.iter() if local_name(row).lower() in names("rows"))
    return table_text(grid([cell_of(c, "".join(c.itertext())) for c in row] for row in rows))


def _title(root: _Element) -> str:
    """Return the first text that is called a title; records have it in an attribute."""
    for element in root.iter():
        name = local_name(element).lower()
        titled = name in NAMES or name.endswith("title")
        texts = [text_of(element)] if titled else []
        if element.sourceline is None:
            texts += [value for key, value in element.items() if key.lower() in NAMES]
        for text in texts:
            if is_title(text) and len(text.split()) <= _TITLE_WORDS:
                return text
    return ""


def _about(root: _Element) -> Iterator[tuple[str, str]]:
    """Yield the short fields of the document and of what is about it."""
    about = [one for one in root.iter("{*}*") if local_name(one).lower() in names("about")]
    inner = (element for one in about[:_MOST_ABOUT] for element in one.iter("{*}*"))
    for element in (root, *inner, *root):
        yield from fields_of(element)


def _format(root: _Element) -> str:
    space = namespace(root)
    return f"XML <{local_name(root)}>" + (f" of {space}" if space else "")
