"""Which reader a file wants: by its suffix, then by its beginning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from indexer.readers.akoma_ntoso import AkomaNtosoReader
from indexer.readers.converted import CONVERTED, OFFICE
from indexer.readers.docx.reader import DocxReader
from indexer.readers.files import guessed_text
from indexer.readers.formex import FormexReader
from indexer.readers.generic_xml import GenericXmlReader
from indexer.readers.html.reader import HtmlReader
from indexer.readers.json.fields import RecordsReader
from indexer.readers.json.nested import NestedReader
from indexer.readers.json.reader import JsonlReader, ObliqaReader
from indexer.readers.lex_articles import LexArticlesReader
from indexer.readers.national import NATIONAL
from indexer.readers.odt.reader import OdtReader
from indexer.readers.outlined import OutlinedReader
from indexer.readers.pdf.reader import PdfReader
from indexer.readers.protocol import BEGINNING, Reader
from indexer.readers.sheets.reader import SheetReader
from indexer.readers.text.reader import TextReader
from indexer.structuring.acts.granularity import GRANULARITIES, Granularity
from indexer.structuring.acts.reader import ActReader
from search.errors import InputError

READERS: tuple[Reader, ...] = (
    LexArticlesReader(),  # before the lists of records that an object may hold
    ObliqaReader(),
    JsonlReader(),
    NestedReader(),
    FormexReader(),
    AkomaNtosoReader(),
    *NATIONAL,
    HtmlReader(),
    GenericXmlReader(),
    DocxReader(),
    OdtReader(),
    PdfReader(),
    SheetReader(),
    *CONVERTED,
    TextReader(),
)
"""Every format, in the order in which a file without a known suffix is tried."""

USUAL = frozenset({"obliqa", "xml"})
"""Which reader says what is wrong with a file whose suffix several have and none knows."""

SAVE_AS = {
    **dict.fromkeys((".ppt", ".pptx", ".odp", ".pages", ".xps"), "PDF"),
    **dict.fromkeys((".tif", ".tiff", ".djvu"), "PDF with recognised text (OCR)"),
    ".msg": ".eml (Save as, in the mail program)",
}
"""Suffixes of documents that nobody reads → the format in which they can be read."""

AUTO = "auto"
FORMATS = (AUTO, *(reader.name for reader in READERS))
"""What `--format` takes."""


def reader_for(
    path: Path,
    format: str = AUTO,  # noqa: A002 - the option's name
    beginning_of: Callable[[], str] | None = None,
) -> Reader:
    """Return the reader of a file.

    Args:
        path: of the file.
        format: what `--format` says.
        beginning_of: returns its first characters; None: they are read from the disk.

    Raises:
        InputError: the format is unknown, or the file has none that rirag reads.
    """
    check_format(format)
    suffix = path.suffix.lower()
    fitting = [reader for reader in READERS if format == reader.name] or [
        reader for reader in READERS if format == AUTO and suffix in reader.suffixes
    ]
    if len(fitting) == 1 and fitting[0].name != OFFICE:
        return fitting[0]
    beginning = beginning_of() if beginning_of else beginning_of_file(path)
    # A file called .doc may be RTF or a page that a program wrote under that name.
    tried = READERS if not fitting or fitting[0].name == OFFICE else fitting
    for reader in tried:
        if beginning and reader.sniff(beginning):
            return reader
    if fitting:
        return next((r for r in fitting if r.name in USUAL), fitting[0])
    if suffix in SAVE_AS:
        raise InputError(
            f"{suffix} files are not read; {advice(path)}", path, code="format.unrecognised"
        )
    known = ", ".join(f"{r.name} ({', '.join(sorted(r.suffixes))})" for r in READERS)
    raise InputError(
        f"not in a format that rirag reads: {known}; convert it",
        path,
        code="format.unrecognised",
    )


def has_known_suffix(path: Path) -> bool:
    """Return whether a file's suffix belongs to a format."""
    return any(path.suffix.lower() in reader.suffixes for reader in READERS)


def advice(path: Path) -> str:
    """Return what to do with a document that no reader reads."""
    return f"save it as {SAVE_AS.get(path.suffix.lower(), 'DOCX, PDF, HTML or text')}"


def check_format(format: str) -> None:  # noqa: A002 - the option's name
    """Refuse a format that does not exist."""
    if format not in FORMATS:
        raise InputError(
            f"unknown format {format!r}; choose one of {', '.join(FORMATS)}", code="format.unknown"
        )


def beginning_of_file(path: Path) -> str:
    """Return the first characters of a text file; nothing for a binary or unreadable one."""
    try:
        with path.open("rb") as file:
            return decoded(file.read(BEGINNING))
    except OSError:
        return ""


def decoded(data: bytes) -> str:
    """Return the first bytes of a file as characters; nothing for a binary one."""
    text = guessed_text(data, whole=False)[0]
    return "" if "\0" in text else text


def with_granularity(reader: Reader, granularity: Granularity) -> Reader:
    """Return a reader of the same format with a granularity.

    Raises:
        InputError: the format knows none.
    """
    if isinstance(reader, ActReader):
        return type(reader)(granularity)
    raise InputError(
        f"the format {reader.name} has no granularity (only acts in XML, HTML and "
        "lex-articles have); leave out --granularity for this file",
        code="granularity.unsupported",
    )


def with_footnotes(reader: Reader) -> Reader:
    """Return a reader of the same format whose footnotes are passages.

    Those of acts always are, and the other formats keep none apart.
    """
    if isinstance(reader, OutlinedReader):
        return type(reader)(footnotes=True)
    return reader


def with_fields(reader: Reader, fields: Mapping[str, str]) -> Reader:
    """Return a reader of the same format that knows the fields of records.

    Other formats have none.
    """
    if isinstance(reader, RecordsReader):
        return type(reader)(fields)
    return reader


def check_granularity(granularity: str) -> None:
    """Refuse a granularity that does not exist."""
    if granularity not in GRANULARITIES:
        raise InputError(
            f"unknown granularity {granularity!r}; choose one of {', '.join(GRANULARITIES)}",
            code="granularity.unknown",
        )
