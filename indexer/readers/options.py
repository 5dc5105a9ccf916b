"""Readers made with what a user chose: how finely acts are cut, whether footnotes are read."""

from __future__ import annotations

from collections.abc import Mapping

from indexer.acts.granularity import GRANULARITIES, Granularity
from indexer.acts.reader import ActReader
from indexer.readers.json.fields import RecordsReader
from indexer.readers.outlined import OutlinedReader
from indexer.readers.protocol import Reader
from search.errors import InputError


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
