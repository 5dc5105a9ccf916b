"""What all readers of XML acts do alike: from the file to the act, or to one sentence why not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from indexer.problems import Problems
from indexer.readers.files import file_bytes, unusable
from indexer.readers.labels import control_fault
from indexer.readers.xml.elements import About, Elements
from indexer.readers.xml.parsing import local_name, parse_xml, root_name
from indexer.readers.xml.tree import ElementTree
from indexer.structuring.acts.provisions import Act
from indexer.structuring.acts.reader import ActReader
from search.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element


class XmlActReader(ActReader):
    """Reads one XML format; a format gives its roots, its elements, and what it says of an act."""

    suffixes = frozenset({".xml"})
    roots: ClassVar[frozenset[str]]
    """Names of the root element."""
    mark: ClassVar[str] = ""
    """What is in every such file, in lower case, where others have the same root."""
    called: ClassVar[str]
    """What messages call the format."""
    elements: ClassVar[Elements]
    about: ClassVar[About] = About()
    instructions: ClassVar[bool] = False
    """Whether processing instructions say something of the act."""
    tree: ClassVar[type[ElementTree]] = ElementTree

    def sniff(self, beginning: str) -> bool:
        """Return whether the first element is one of the format's, with its mark."""
        return root_name(beginning) in self.roots and self.mark in beginning.lower()

    def foreign(self, beginning: str) -> str:
        """Return a reason for other XML."""
        name = root_name(beginning)
        return "" if not name or name in self.roots else f"not {self.called} (<{name}>)"

    def read_act(self, path: Path, problems: Problems) -> Act:
        """Return the tree of the act and what was left out.

        Raises:
            InputError: the file cannot be used.
        """
        document = self.document_of(self.root_of(path, problems))
        if document is None:
            raise InputError(f"contains no document of {self.called}", path, code="source.empty")
        act = self.describe(document, path)
        if fault := control_fault("the name of the document", act.document_id):
            raise unusable(f"{fault}; rename it", path)
        self.fill(document, act)
        if fault := self.fault_of(document, act):
            raise InputError(fault, path, code="source.empty")
        return act

    def root_of(self, path: Path, problems: Problems) -> _Element:  # noqa: ARG002 - for records
        """Return the root of a file."""
        return parse_xml(file_bytes(path), path, instructions=self.instructions)

    def document_of(self, root: _Element) -> _Element | None:
        """Return the element of the document in its file, None without one."""
        return root if local_name(root) in self.roots else None

    def describe(self, document: _Element, path: Path) -> Act:
        """Return the act with its names and dates, without provisions."""
        return self.about.act(document, path)

    def fill(self, document: _Element, act: Act) -> None:
        """Put the provisions of the document into the act."""
        self.prepare(document, act)
        self.tree(act, self.elements).build(document)

    def fault_of(self, document: _Element, act: Act) -> str:  # noqa: ARG002 - for other XML
        """Return why an act that was read cannot be used, or ""."""
        return "" if act.provisions else "contains no provision; give the text of the act"

    def prepare(self, document: _Element, act: Act) -> None:
        """Bring the elements into the order of the act."""
