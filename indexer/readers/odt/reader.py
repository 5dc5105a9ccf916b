"""OpenDocument texts (`.odt`, `.fodt`): parts → styles, lists → blocks → outline → passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.blocks import Block, LeftOut
from indexer.readers.files import file_bytes
from indexer.readers.odt.body import Body
from indexer.readers.odt.lists import Lists
from indexer.readers.odt.styles import Styles
from indexer.readers.opendocument import content_of
from indexer.readers.outlined import OutlinedReader, itself
from indexer.readers.xml.parsing import parse_xml
from indexer.readers.zipped import member_bytes, open_zip
from search.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element


class OdtReader(OutlinedReader):
    """Reads `.odt` and `.fodt` files; macros are never looked at."""

    name = "odt"
    suffixes = frozenset({".odt", ".ott", ".fodt"})

    def sniff(self, beginning: str) -> bool:
        """Return whether a file is an OpenDocument text in one piece."""
        return "office:document " in beginning and "opendocument.text" in beginning

    def blocks(self, path: Path) -> tuple[list[Block], list[LeftOut], Callable[[int], int]]:
        """Return the blocks of the file; the place of each is its paragraph."""
        parts = list(_parts(path))
        text = next((t for part in parts for t in part.iter("{*}text") if _is_body(t)), None)
        if text is None:
            raise InputError(
                "holds no text document; give it its right suffix", path, code="source.invalid"
            )
        body = Body(Styles(parts), Lists(parts))
        body.read(text)
        return body.blocks, body.left_out, itself


def _is_body(element: _Element) -> bool:
    parent = element.getparent()
    return parent is not None and str(parent.tag).endswith("}body")


def _parts(path: Path) -> Iterator[_Element]:
    """Yield the roots of the parts that hold styles and text."""
    if path.suffix.lower() == ".fodt":
        yield parse_xml(file_bytes(path), path)
        return
    with open_zip(path) as opened:
        content = content_of(opened, path)
        styles = member_bytes(opened, "styles.xml", path)
        if styles:
            yield parse_xml(styles, path)
        yield content
