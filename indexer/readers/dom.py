"""HTML as a tree: decoded by what the bytes are, parsed within bounds, text taken out of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.files import (
    WINDOWS,
    check_tags,
    file_bytes,
    guessed_text,
    is_text,
    too_large,
    unusable,
)
from indexer.readers.xml.parsing import MOST_DEPTH, local_name, too_deep
from indexer.structuring.pages.line import plain
from search.errors import InputError

if TYPE_CHECKING:
    from lxml.etree import _Element

BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "col", "colgroup",
    "dd", "details", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
    "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "iframe", "legend",
    "li", "main", "menu", "nav", "noframes", "noscript", "ol", "p", "pre", "section", "summary",
    "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
"""Elements that begin and end a line of text."""

INVISIBLE = frozenset({"head", "noscript", "script", "style", "svg", "template", "title"})
"""Elements whose text no reader of the page sees in its place."""

_PERMALINKS = frozenset({"¶", "#", "🔗"})
"""What the link of a heading to itself shows."""

_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_ENDS = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
"""What browsers read on after, and the parser does not."""
_ASCII_BLANKS = re.compile(r"[ \t\r\n\f]+")


def read_html(path: Path) -> _Element:
    """Return the root of an HTML file.

    Bytes that are UTF-8 are read as UTF-8 whatever the page declares, since servers often
    recode pages; others as the page declares.

    Raises:
        InputError: the file cannot be used.
    """
    text = _decode(file_bytes(path))
    if text is None:
        problem = "not encoded in UTF-8 or as the page declares; save it as UTF-8"
        raise InputError(problem, path, code="source.encoding")
    page = _ENDS.sub("", _DECLARATION.sub("", text)).encode()
    check_tags(path, page)
    root = parse_html(page)
    if root is None:
        raise unusable("HTML that cannot be read; save the page again", path)
    if too_deep(root):
        problem = f"elements are nested more than {MOST_DEPTH} deep; this is not a rulebook"
        raise too_large(path, problem)
    return root


def parse_html(page: bytes) -> _Element | None:
    """Return the root of a page in UTF-8, or None for one that cannot be read."""
    from lxml import etree, html

    parser = html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=False, no_network=True
    )
    try:
        return html.document_fromstring(page, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
        return None


def classes(element: _Element) -> frozenset[str]:
    """Return the classes of an element without the prefix that the Official Journal adds."""
    return frozenset(name.removeprefix("oj-") for name in (element.get("class") or "").split())


def is_block(element: _Element) -> bool:
    """Return whether an element begins a line of its own."""
    return local_name(element) in BLOCKS


def has_blocks(element: _Element) -> bool:
    """Return whether any block is inside an element."""
    return any(is_block(inner) for inner in element.iterdescendants())


def is_unseen(element: _Element) -> bool:
    """Return whether no reader of the page takes an element's text for a part of it."""
    name = local_name(element)
    return name in INVISIBLE or (name == "a" and "".join(element.itertext()).strip() in _PERMALINKS)


def collapsed(text: str) -> str:
    """Return text in which a run of ordinary blanks is one blank; no-break ones stay."""
    return _ASCII_BLANKS.sub(" ", text)


def visible_text(element: _Element) -> str:
    """Return all text of an element with single blanks; a block parts words, scripts are unseen."""
    return plain("".join(_pieces(element)))


def _pieces(element: _Element) -> Iterator[str]:
    name = local_name(element)
    if not name or is_unseen(element):
        return
    edge = " " if name in BLOCKS or name == "br" else ""
    yield edge
    yield element.text or ""
    for child in element:
        yield from _pieces(child)
        yield child.tail or ""
    yield edge


def _decode(data: bytes) -> str | None:
    """Return the text of a page: by its mark, as UTF-8, as declared, or as browsers guess it."""
    text, guess = guessed_text(data)
    if guess == WINDOWS and (declared := _CHARSET.search(data[:4096])):
        encoding = declared.group(1).decode("ascii").lower()
        # Browsers read pages that declare Latin-1 as Windows-1252, and so do their authors.
        encoding = "cp1252" if encoding in {"iso-8859-1", "latin-1", "latin1"} else encoding
        try:
            text = data.decode(encoding)
        except (LookupError, ValueError):
            return None
    return text if is_text(text) else None


def rows_of(table: _Element) -> list[list[_Element]]:
    """Return the cells of a table row by row, without those of tables inside it."""
    rows: list[_Element] = []
    for child in table:
        name = local_name(child)
        if name == "tr":
            rows.append(child)
        elif name in {"tbody", "thead", "tfoot"}:
            rows += [row for row in child if local_name(row) == "tr"]
    cells = ([cell for cell in row if local_name(cell) in {"td", "th"}] for row in rows)
    return [row for row in cells if row]
