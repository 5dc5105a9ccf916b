"""The content of OpenDocument files: texts and spreadsheets."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.unpacking import TEXT_BYTES
from indexer.readers.xml.parsing import parse_xml
from indexer.readers.zipped import PROTECTED, member_bytes
from search.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element


def content_of(opened: zipfile.ZipFile, path: Path) -> _Element:
    """Return the root of the part that holds what a person wrote.

    Raises:
        InputError: there is none, or it is damaged or protected.
    """
    content = member_bytes(opened, "content.xml", path, TEXT_BYTES)
    if content is None:
        raise InputError(
            "a ZIP file without an OpenDocument file in it; give it its right suffix",
            path,
            code="source.invalid",
        )
    if b"encryption-data" in (member_bytes(opened, "META-INF/manifest.xml", path) or b""):
        raise InputError(PROTECTED, path, code="source.invalid")
    return parse_xml(content, path)
