"""Which reader a file wants: by its suffix, then by its beginning."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from indexer.readers.akoma.reader import AkomaNtosoReader
from indexer.readers.docx import DocxReader
from indexer.readers.formex.reader import FormexReader
from indexer.readers.generic_xml import GenericXmlReader
from indexer.readers.html.reader import HtmlReader
from indexer.readers.json.jsonl import JsonlReader
from indexer.readers.json.obliqa import ObliqaReader
from indexer.readers.lex_articles.reader import LexArticlesReader
from indexer.readers.national import NATIONAL
from indexer.readers.pdf import PdfReader
from indexer.readers.protocol import BEGINNING, Reader
from indexer.readers.text.reader import TextReader
from search.errors import InputError

READERS: tuple[Reader, ...] = (
    ObliqaReader(),
    LexArticlesReader(),
    JsonlReader(),
    FormexReader(),
    AkomaNtosoReader(),
    *NATIONAL,
    HtmlReader(),
    GenericXmlReader(),
    DocxReader(),
    PdfReader(),
    TextReader(),
)
"""Every format, in the order in which a file without a known suffix is tried."""

USUAL = frozenset({"obliqa", "xml"})
"""Which reader says what is wrong with a file whose suffix several have and none knows."""

AUTO = "auto"
FORMATS = (AUTO, *(reader.name for reader in READERS))
"""What `--format` takes."""


def reader_for(path: Path, format: str = AUTO) -> Reader:  # noqa: A002 - the option's name
    """Return the reader of a file.

    Raises:
        InputError: the format is unknown, or the file has none that rirag reads.
    """
    check_format(format)
    suffix = path.suffix.lower()
    fitting = [reader for reader in READERS if format == reader.name] or [
        reader for reader in READERS if format == AUTO and suffix in reader.suffixes
    ]
    if len(fitting) == 1:
        return fitting[0]
    beginning = beginning_of(path)
    for reader in fitting or READERS:
        if beginning and reader.sniff(beginning):
            return reader
    if fitting:
        return next((r for r in fitting if r.name in USUAL), fitting[0])
    known = ", ".join(f"{r.name} ({', '.join(sorted(r.suffixes))})" for r in READERS)
    raise InputError(
        f"not in a format that rirag reads: {known}; convert it",
        path,
        code="format.unrecognised",
    )


def has_known_suffix(path: Path) -> bool:
    """Tell whether a file's suffix belongs to a format."""
    return any(path.suffix.lower() in reader.suffixes for reader in READERS)


def check_format(format: str) -> None:  # noqa: A002 - the option's name
    """Refuse a format that does not exist."""
    if format not in FORMATS:
        raise InputError(
            f"unknown format {format!r}; choose one of {', '.join(FORMATS)}", code="format.unknown"
        )


def beginning_of(path: Path) -> str:
    """Return the first characters of a text file; nothing for a binary or unreadable one."""
    try:
        with path.open("rb") as file:
            data = file.read(BEGINNING)
    except OSError:
        return ""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data.decode("utf-16", errors="ignore")
    return "" if b"\0" in data else data.decode("utf-8-sig", errors="ignore")
