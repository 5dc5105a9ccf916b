"""The ZIP package around a Word document, opened without trust.

The XML of a part is read without document type, entities and network, and within the limits of
`unpacking`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.docx.markup import name
from indexer.readers.docx.relationships import relationships, relationships_part
from indexer.readers.files import empty_file, unreadable
from indexer.readers.unpacking import PART_BYTES, TEXT_BYTES
from indexer.readers.xml.parsing import fault_of
from indexer.readers.zipped import PROTECTED, open_member, open_members
from search.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

OLE_BYTES = 64 * 2**20
"""Bytes of an old Office file that are searched for the sign of a password."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD = "a document of Word 97 to 2003, or another old Office file; save it as .docx"
_BROKEN = "the file is damaged or truncated ({}); open it in Word and save it again"


class Package:
    """The parts of one document."""

    def __init__(self, path: Path) -> None:
        """Open a file.

        Raises:
            InputError: it is not a Word document, is protected, damaged or too large.
        """
        self._path = path
        self._zip = _open_zip(path)
        self._names = {info.filename.lstrip("/").lower(): info for info in self._zip.infolist()}
        main = self._relationships("").get("officeDocument", "word/document.xml")
        if main.lower() not in self._names:
            self.close()
            raise InputError(
                "a ZIP file without a Word document; correct its suffix",
                path,
                code="source.invalid",
            )
        self._targets = self._relationships(main)
        self.main = main
        """The part that holds the text."""

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def related(self, kind: str) -> str | None:
        """Return the part that the document names for a kind such as `styles`, or None."""
        return self._targets.get(kind)

    def root(self, part: str | None) -> Element | None:
        """Return a whole part; None for one that is not there.

        Raises:
            InputError: as `elements`.
        """
        if part is None or part.lower() not in self._names:
            return None
        root = None
        for element in self.elements(part, "*", PART_BYTES):
            root = element
        return root

    def elements(self, part: str, tag: str | tuple[str, ...], most: int) -> Iterator[Element]:
        """Yield the elements of a part as they end.

        Raises:
            InputError: the part is protected, damaged, larger than `most` bytes, or has a document
                type.
        """
        from lxml import etree

        info = self._names[part.lower()]
        try:
            with open_member(self._zip, info, part, self._path, most, _BROKEN) as file:
                events = etree.iterparse(
                    file, events=("end",), tag=tag, resolve_entities=False, load_dtd=False,
                    no_network=True, huge_tree=False, remove_comments=True, remove_pis=True,
                )  # fmt: skip
                for number, (_, element) in enumerate(events):
                    if not number:
                        self._refuse_document_type(element, part)
                    yield element
                self._refuse_document_type(events.root, part)
        except etree.XMLSyntaxError as error:
            problem = _BROKEN.format(f"{part} is not XML: {fault_of(error)}")
            raise InputError(problem, self._path, code="source.invalid") from error

    def body(self, tags: tuple[str, ...]) -> Iterator[Element]:
        """Yield what is at the top level of the text; it is freed afterwards.

        Raises:
            InputError: as `elements`.
        """
        for element in self.elements(self.main, tags, TEXT_BYTES):
            if name(element.getparent()) == "body":
                yield element
                _free(element)

    def _refuse_document_type(self, element: Element | None, part: str) -> None:
        if element is None:
            return
        about = element.getroottree().docinfo
        if about.doctype or about.internalDTD is not None:
            raise InputError(
                f"{part} has a document type declaration, which Word never writes; "
                "open it in Word and save it again",
                self._path,
                code="source.invalid",
            )

    def _relationships(self, part: str) -> dict[str, str]:
        return relationships(self.root(relationships_part(part)), part)


def _open_zip(path: Path) -> zipfile.ZipFile:
    """Return the opened ZIP file, or refuse what is none."""
    try:
        with path.open("rb") as file:
            beginning = file.read(len(_OLE))
            if not beginning:
                raise empty_file(path)
            if beginning == _OLE:
                protected = "EncryptedPackage".encode("utf-16-le") in file.read(OLE_BYTES)
                raise InputError(PROTECTED if protected else _OLD, path, code="source.invalid")
    except OSError as error:
        raise unreadable(path, error) from error
    if not beginning.startswith(b"PK"):
        problem = "not a Word document despite its suffix; correct the suffix"
        raise InputError(problem, path, code="source.invalid")
    return open_members(path, _BROKEN, "the document")


def _free(element: Element) -> None:
    """Drop an element that was read and those before it, so that memory stays flat."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
