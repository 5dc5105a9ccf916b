"""The ZIP package around a Word document, opened without trust.

The XML of a part is read without document type, entities and network, and within the limits of
`zipped`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from indexer.readers.files import unusable
from indexer.readers.xml.parsing import fault_of, local_name
from indexer.readers.zipped import PART_BYTES, PROTECTED, TEXT_BYTES, open_member, open_zip

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

OLE_BYTES = 64 * 2**20
"""Bytes of an old Office file that are searched for the sign of a password."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD = "a document of Word 97 to 2003, or another old Office file; save it as .docx"
_OTHER = "not a Word document despite its suffix; correct the suffix"
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
        package = self._relationships("")
        main = package.get("officeDocument", ["word/document.xml"])[0]
        if main.lower() not in self._names:
            self.close()
            raise unusable("a ZIP file without a Word document; correct its suffix", path)
        self._targets = {**package, **self._relationships(main)}
        self.main = main
        """The part that holds the text."""

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def part(self, kind: str) -> Element | None:
        """Return the root of the part of a kind such as `styles`; None for one that is not there.

        Raises:
            InputError: as `elements`.
        """
        return next(self.parts(kind), None)

    def parts(self, kind: str) -> Iterator[Element]:
        """Yield the roots of the parts of a kind such as `header`.

        Raises:
            InputError: as `elements`.
        """
        for part in self._targets.get(kind, ()):
            if (root := self._root(part)) is not None:
                yield root

    def _root(self, part: str) -> Element | None:
        if part.lower() not in self._names:
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
            raise unusable(problem, self._path) from error

    def body(self, tags: tuple[str, ...]) -> Iterator[Element]:
        """Yield what is at the top level of the text; it is freed afterwards.

        Raises:
            InputError: as `elements`.
        """
        for element in self.elements(self.main, tags, TEXT_BYTES):
            if local_name(element.getparent()) == "body":
                yield element
                _free(element)

    def _refuse_document_type(self, element: Element | None, part: str) -> None:
        if element is None:
            return
        about = element.getroottree().docinfo
        if about.doctype or about.internalDTD is not None:
            raise unusable(
                f"{part} has a document type declaration, which Word never writes; "
                "open it in Word and save it again",
                self._path,
            )

    def _relationships(self, part: str) -> dict[str, list[str]]:
        """Return kind → parts of all that another is related to; "" stands for the package."""
        found: dict[str, list[str]] = {}
        place = PurePosixPath(part)
        root = self._root(str(place.parent / "_rels" / f"{place.name}.rels"))
        for relation in root if root is not None else ():
            kind, target = relation.get("Type") or "", relation.get("Target") or ""
            for space in _SPACES:
                if kind.startswith(space) and relation.get("TargetMode") != "External":
                    kinds = found.setdefault(kind.removeprefix(space), [])
                    kinds.append(_resolved(place.parent, target))
        return found


def _open_zip(path: Path) -> zipfile.ZipFile:
    """Return the opened ZIP file, or refuse what is none."""
    with suppress(OSError), path.open("rb") as file:
        if file.read(len(_OLE)) == _OLE:
            protected = "EncryptedPackage".encode("utf-16-le") in file.read(OLE_BYTES)
            raise unusable(PROTECTED if protected else _OLD, path)
    return open_zip(path, other=_OTHER, broken=_BROKEN, whole="the document")


def _free(element: Element) -> None:
    """Drop an element that was read and those before it, so that memory stays flat."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


_SPACES = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/",
    "http://purl.oclc.org/ooxml/officeDocument/relationships/",
    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/",
    "http://purl.oclc.org/ooxml/package/relationships/metadata/",
)


def _resolved(folder: PurePosixPath, target: str) -> str:
    """Return the path of a target that is relative to a folder, or to the package."""
    parts: list[str] = []
    for piece in (folder / target).parts:
        if piece == "..":
            parts = parts[:-1]
        elif piece not in (".", "/"):
            parts.append(piece)
    return "/".join(parts)
