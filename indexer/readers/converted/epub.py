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
from indexer.readers.files import MOST_BYTES, too_large
from indexer.readers.html.reader import HtmlReader
from indexer.readers.xml.parsing import parse_xml
from indexer.readers.zipped import member_bytes, open_zip
from search.errors import InputError

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
        title = _first(root, "title")
        pages = list(_spine(root, posixpath.dirname(package)))
        bodies = []
        size = 0
        for page in pages:
            data = member_bytes(opened, page, path)
            if data is None:
                raise InputError(f"the chapter {page} is missing; save the book again", path,
                                 code="source.invalid")  # fmt: skip
            size += len(data)
            if size > MOST_BYTES:
                raise too_large(path)
            bodies.append(_body(data))
    made = folder / f"{path.stem}.html"
    page = f"<html><head><title>{escape(title)}</title></head><body>{''.join(bodies)}</body></html>"
    made.write_text(page, encoding="utf-8", errors="replace")
    return Converted(made, HtmlReader(), title=title)


def _package(opened: zipfile.ZipFile, path: Path) -> str:
    """Return the name of the file that lists the chapters."""
    root = _parsed(opened, CONTAINER, path)
    found = next((e.get("full-path") for e in root.iter("{*}rootfile")), None)
    if not found:
        raise InputError(
            "names no list of chapters; save the book again", path, code="source.invalid"
        )
    return str(found)


def _parsed(opened: zipfile.ZipFile, name: str, path: Path) -> _Element:
    data = member_bytes(opened, name, path)
    if data is None:
        raise InputError(
            f"a ZIP file without {name}, so no book; give it its right suffix",
            path,
            code="source.invalid",
        )
    return parse_xml(data, path)


def _spine(root: _Element, base: str) -> Iterator[str]:
    """Yield the names of the chapters; navigation is none."""
    items = {e.get("id"): e for e in root.iter("{*}item")}
    for ref in root.iter("{*}itemref"):
        item = items.get(ref.get("idref"))
        if item is None or item.get("media-type") not in _PAGES:
            continue
        if "nav" in (item.get("properties") or "").split() or ref.get("linear") == "no":
            continue
        yield posixpath.normpath(posixpath.join(base, unquote(item.get("href") or "")))


def _first(root: _Element, name: str) -> str:
    found = next(root.iter(f"{{*}}{name}"), None)
    return "" if found is None else " ".join("".join(found.itertext()).split())


def _body(data: bytes) -> str:
    """Return what is in the body of a chapter."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return ""
    body = root.find("body")
    if body is None:
        return ""
    body.tag = "div"
    return str(html.tostring(body, encoding="unicode"))
