"""Words of a PDF that its reader has lost."""

from __future__ import annotations

import ctypes
from collections import Counter
from pathlib import Path

from indexer.readers.pdf.reader import read_body
from indexer.review.check import words
from indexer.structuring.outline import outline


def lost_words_of_pdf(path: Path, read: list[str]) -> list[str]:
    """Return words of a PDF that are neither in a passage nor among what was left out.

    The words of the source are those that the library tells of a whole page, wherever they stand.
    Where one side has in one piece what the other has in two (a cut word, a mark of a footnote at
    the end of a word), nothing is lost.
    """
    found = Counter(words("\n".join(read)))
    body = read_body(path)
    for piece in outline(body.blocks, body.left_out).left_out:
        found.update(words(piece.text))
    lost, _ = settled(Counter(words(text_of_pdf(path))), found)
    return sorted(lost.elements())


def settled(source: Counter[str], found: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """Return words that only the source has, and those that it has not.

    Where one side has in one piece what the other has in two, both have it.
    """
    lost, more = source - found, found - source
    for whole in list(lost):
        _settle(whole, lost, more)
    for whole in list(more):
        _settle(whole, more, lost)
    return +lost, +more


def _settle(whole: str, one: Counter[str], other: Counter[str]) -> None:
    """Strike out a word of one side against two of the other."""
    for at in range(1, len(whole)):
        head, tail = whole[:at], whole[at:]
        both = min(one[whole], other[head], other[tail])
        if both > 0:
            one[whole] -= both
            other[head] -= both
            other[tail] -= both


def text_of_pdf(path: Path) -> str:
    """Return the text that the library finds on the pages of a PDF."""
    import pypdfium2.raw as pdfium

    data = path.read_bytes()
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    found: list[str] = []
    for index in range(pdfium.FPDF_GetPageCount(document)):
        page = pdfium.FPDF_LoadPage(document, index)
        text = pdfium.FPDFText_LoadPage(page)
        count = pdfium.FPDFText_CountChars(text)
        letters = (ctypes.c_ushort * (count + 1))()
        pdfium.FPDFText_GetText(text, 0, count, letters)
        found.append(_plain(bytes(letters).decode("utf-16-le", "replace")))
        pdfium.FPDFText_ClosePage(text)
        pdfium.FPDF_ClosePage(page)
    return "\n".join(found)


def _plain(text: str) -> str:
    """Return a page's text without the library's two marks of hyphens."""
    return text.replace("\x02", "-").replace("\ufffe", "")
