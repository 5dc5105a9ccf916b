"""EPUB: the chapters of a book as one page."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from indexer.readers.converted.reader import Converted
from indexer.readers.dom import parse_html
from indexer.readers.files import MOST_BYTES, too_large, unusable
from indexer.readers.html.reader import HtmlReader
from indexer.readers.xml.parsing import parse_xml, text_of
from indexer.readers.zipped import member_bytes, open_zip

if TYPE_CHECKING:
    from lxml.etree import _Element

CONTAINER = "META-INF/container.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html"})


def epub_to_html(path: Path, folder: Path) -> Converted:
    """Write the chapters of a book in their order as one page.

    Raises:
        InputError: it is not an EPUB, protected, damaged or too large.
    """
    with open_zip(path) as opened:
        package = _package(opened, path)
        root = _parsed(opened, package, path)
        title = text_of(next(root.iter("{*}title"), None))
        pages = list(_spine(root, posixpath.dirname(package)))
        bodies = []
        size = 0
        for page in pages:
            data = member_bytes(opened, page, path)
            if data is None:
                raise unusable(f"the chapter {page} is missing; save the book again", path)
            size += len(data)
            if size > MOST_BYTES:
                raise too_large(path)
            bodies.append(_body(data))
    made = folder / f"{path.stem}.html"
    page = f"<html><head><title>{escape(title)}</title></head><body>{''.join(bodies)}</body></html>"
    made.write_text(page, encoding="utf-8", errors="replace")
    return Converted(made, HtmlReader(), title=title)


def _package(opened: zipfile.ZipFile, path: Path) -> str:
    root = _parsed(opened, CONTAINER, path)
    found = next((e.get("full-path") for e in root.iter("{*}rootfile")), None)
    if not found:
        raise unusable("names no list of chapters; save the book again", path)
    return str(found)


def _parsed(opened: zipfile.ZipFile, name: str, path: Path) -> _Element:
    data = member_bytes(opened, name, path)
    if data is None:
        raise unusable(f"a ZIP file without {name}, so no book; give it its right suffix", path)
    return parse_xml(data, path)


def _spine(root: _Element, base: str) -> Iterator[str]:
    items = {e.get("id"): e for e in root.iter("{*}item")}
    for ref in root.iter("{*}itemref"):
        item = items.get(ref.get("idref"))
        if item is None or item.get("media-type") not in _PAGES:
            continue
        if "nav" in (item.get("properties") or "").split() or ref.get("linear") == "no":
            continue
        yield posixpath.normpath(posixpath.join(base, unquote(item.get("href") or "")))


def _body(data: bytes) -> str:
    from lxml import html

    root = parse_html(data)
    body = None if root is None else root.find("body")
    if body is None:
        return ""
    body.tag = "div"
    return str(html.tostring(body, encoding="unicode"))
