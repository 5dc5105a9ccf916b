"""Readers made with what a user chose: how finely acts are cut, whether footnotes are read."""

from __future__ import annotations

from indexer.acts.granularity import GRANULARITIES, Granularity
from indexer.readers.akoma.reader import AkomaNtosoReader
from indexer.readers.docx import DocxReader
from indexer.readers.formex.reader import FormexReader
from indexer.readers.html.reader import HtmlReader
from indexer.readers.lex_articles.reader import LexArticlesReader
from indexer.readers.pdf import PdfReader
from indexer.readers.protocol import Reader
from search.errors import InputError

GRANULAR = (FormexReader, AkomaNtosoReader, HtmlReader, LexArticlesReader)
"""Readers of formats that mark each article, paragraph and point."""


def with_granularity(reader: Reader, granularity: Granularity) -> Reader:
    """Return a reader of the same format with a granularity.

    Raises:
        InputError: the format knows none.
    """
    if isinstance(reader, GRANULAR):
        return type(reader)(granularity)
    known = ", ".join(one.name for one in GRANULAR)
    raise InputError(
        f"the format {reader.name} has no granularity to choose (only {known} have); "
        "leave --granularity out for this file"
    )


def with_footnotes(reader: Reader) -> Reader:
    """Return a reader of the same format whose footnotes are passages.

    Those of acts always are, and the other formats keep none apart.
    """
    return type(reader)(footnotes=True) if isinstance(reader, DocxReader | PdfReader) else reader


def check_granularity(granularity: str) -> None:
    """Refuse a granularity that does not exist."""
    if granularity not in GRANULARITIES:
        raise InputError(
            f"unknown granularity {granularity!r}; choose one of {', '.join(GRANULARITIES)}"
        )
