r"""PDF files with a text layer: the passages of one file.

    pages, in a process of their own → lines → paragraphs, tables, footnotes → outline → passages

What a PDF draws is put together again: columns, lines, paragraphs, words that were cut, and from
size, weight and indent what the numbers mean. Running heads, page numbers, tables of contents and,
unless they are wanted, footnotes are in no passage and are noted with their reason. A scan holds no
text and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from indexer.blocks import Block, LeftOut
from indexer.readers.files import unusable
from indexer.readers.outlined import OutlinedReader
from indexer.readers.pdf.body import Body, body_of
from indexer.readers.pdf.drawn.process import can_recognise, read_pages, recognised_pages
from indexer.readers.pdf.layout import Sheet, lay_out
from search.errors import InputError, installing

UNREAD = 0.5
"""Part of the pages that may be pictures, or in unknown letters: annexes, not the document."""

_SCAN = (
    "contains no text, only images of pages (a scan); save it with recognised text (OCR), or "
    + installing("ocr")
)
_EMPTY = "contains no text; give a PDF that has some"
_NO_LETTERS = "its fonts do not identify their letters; save it with recognised text (OCR)"


class PdfReader(OutlinedReader):
    """Reads `.pdf` files that have a text layer."""

    name = "pdf"
    suffixes = frozenset({".pdf"})

    def sniff(self, beginning: str) -> bool:
        """Return whether a file begins as a PDF does."""
        return "%PDF-" in beginning[:1024]

    def blocks(self, path: Path) -> tuple[Sequence[Block], Sequence[LeftOut], Callable[[int], int]]:
        """Return the blocks of the file; the place of each is shown as its page."""
        body = read_body(path)
        return body.blocks, body.left_out, lambda place: body.pages[place - 1]


def read_body(path: Path) -> Body:
    """Return the blocks of a PDF.

    Raises:
        InputError: it is not a PDF, is protected, damaged or too large, or holds no text.
    """
    sheets = []
    for page in read_pages(path):
        if page.damaged:
            problem = f"page {page.number} is damaged; print the file to a new PDF file"
            raise unusable(problem, path)
        sheets.append(lay_out(page))
    recognised = [sheet.number for sheet in sheets if sheet.pictured]
    if recognised and can_recognise():
        for page in recognised_pages(path, recognised):
            if page.words:
                sheets[page.number - 1] = lay_out(page)
    _check_text(sheets, path)
    body = body_of(sheets)
    if not any(block.text.strip() for block in body.blocks):
        raise InputError(
            _SCAN if any(sheet.images for sheet in sheets) else _EMPTY, path, code="source.empty"
        )
    return body


def _check_text(sheets: Sequence[Sheet], path: Path) -> None:
    pictures = sum(sheet.pictured for sheet in sheets)
    if pictures > UNREAD * len(sheets):
        raise InputError(_SCAN, path, code="source.empty")
    illegible = sum(bool(sheet.illegible) for sheet in sheets)
    if illegible > UNREAD * sum(bool(sheet.illegible or sheet.lines) for sheet in sheets):
        raise InputError(_NO_LETTERS, path, code="source.empty")
