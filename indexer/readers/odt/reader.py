"""OpenDocument texts (`.odt`, `.fodt`): parts → styles, lists → blocks → outline → passages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.outline import outline
from indexer.problems import Problems
from indexer.readers.odt.body import Body
from indexer.readers.odt.lists import Lists
from indexer.readers.odt.styles import Styles
from indexer.readers.outlined import outlined_passages
from indexer.readers.unpacking import TEXT_BYTES
from indexer.readers.xml.parsing import parse_xml, read_xml
from indexer.readers.zipped import PROTECTED, member_bytes, open_zip
from search.errors import InputError
from search.records import Passage

if TYPE_CHECKING:
    from lxml.etree import _Element


class OdtReader:
    """Reads `.odt` and `.fodt` files; macros are never looked at."""

    name = "odt"
    suffixes = frozenset({".odt", ".ott", ".fodt"})
    whole_document = True

    def __init__(self, *, footnotes: bool = False) -> None:
        """Prepare.

        Args:
            footnotes: whether each is a passage; else they are left out.
        """
        self._footnotes = footnotes

    def sniff(self, beginning: str) -> bool:
        """Return whether a file is an OpenDocument text in one piece."""
        return "office:document " in beginning and "opendocument.text" in beginning

    def foreign(self, beginning: str) -> str:
        """Return "": only reading shows whether a document is usable."""
        del beginning
        return ""

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield the passages of the file; the place of each is its paragraph."""
        try:
            parts = list(_parts(path, problems))
        except InputError as error:
            problems.add(error)
            return
        text = next((t for part in parts for t in part.iter("{*}text") if _is_body(t)), None)
        if text is None:
            if not len(problems):
                problems.add(
                    InputError(
                        "holds no text document; give it its right suffix",
                        path,
                        code="source.invalid",
                    )
                )
            return
        body = Body(Styles(parts), Lists(parts))
        body.read(text)
        found = outline(body.blocks, body.left_out, footnotes=self._footnotes)
        yield from outlined_passages(found, path, source, problems)


def _is_body(element: _Element) -> bool:
    parent = element.getparent()
    return parent is not None and str(parent.tag).endswith("}body")


def _parts(path: Path, problems: Problems) -> Iterator[_Element]:
    """Yield the roots of the parts that hold styles and text."""
    if path.suffix.lower() == ".fodt":
        root = read_xml(path, problems)
        if root is not None:
            yield root
        return
    with open_zip(path) as opened:
        content = member_bytes(opened, "content.xml", path, TEXT_BYTES)
        if content is None:
            raise InputError(
                "a ZIP file without an OpenDocument text in it; give it its right suffix",
                path,
                code="source.invalid",
            )
        manifest = member_bytes(opened, "META-INF/manifest.xml", path) or b""
        if b"encryption-data" in manifest:
            raise InputError(PROTECTED, path, code="source.invalid")
        styles = member_bytes(opened, "styles.xml", path)
        if styles:
            yield parse_xml(styles, path)
        yield parse_xml(content, path)
