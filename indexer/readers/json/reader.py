"""Records of passages with ObliQA's field names: a JSON list of them, or one a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TextIO

from indexer.problems import Problems
from indexer.readers.files import ENCODING, broken_utf8, empty_file, unusable
from indexer.readers.json.fields import RecordsReader, foreign_record, is_nested
from indexer.readers.json.list import LIST_WITHIN, JsonList
from indexer.readers.json.record import foreign_value
from indexer.readers.json.text import limit_fault, make_decoder
from search.errors import InputError
from search.records import Passage

DECODER = make_decoder()

Records = Iterable[tuple[int, object]]
"""Each with its 1-based line, or why it cannot be used."""


class ObliqaReader(RecordsReader):
    """Reads `.json` files; further fields of a record become metadata."""

    name = "obliqa"
    suffixes = frozenset({".json"})
    whole_document = False

    def sniff(self, beginning: str) -> bool:
        """Return whether the file begins with a list of records, or an object around one."""
        text = beginning.lstrip()
        listed = text.startswith("[") or LIST_WITHIN.match(text) is not None
        return listed and not is_nested(text)

    def foreign(self, beginning: str) -> str:
        """Return a reason for a file without records, or whose first one is not a passage."""
        text = beginning.strip()
        if within := LIST_WITHIN.match(text):
            text = text[within.end() :]
        return foreign_value(text) or foreign_record(text[1:])

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield the passages of the list; a broken record does not stop the next ones."""
        yield from self.passages(_records(path, JsonList), path, source, problems)


class JsonlReader(RecordsReader):
    """Reads `.jsonl` files line by line, so that their size does not matter."""

    name = "jsonl"
    suffixes = frozenset({".jsonl", ".ndjson"})
    whole_document = False

    def sniff(self, beginning: str) -> bool:
        """Return whether the file begins with a record."""
        return beginning.lstrip().startswith("{") and not beginning.lstrip().startswith("{\\")

    def foreign(self, beginning: str) -> str:
        """Return a reason for a file whose first record is not a passage at all."""
        return foreign_record(beginning)

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield one passage a line; blank lines are skipped."""
        records = _records(path, partial(_lines, path))
        yield from self.passages(records, path, source, problems)


def _records(path: Path, read: Callable[[TextIO], Records]) -> Iterator[tuple[int, object]]:
    """Yield the records of a file; one that is not JSON as a whole is refused."""
    filled = False
    try:
        with path.open(encoding=ENCODING) as file:
            for line, record in read(file):
                filled = True
                yield line, record
    except UnicodeDecodeError as error:
        raise broken_utf8(path) from error
    except InputError as error:
        raise unusable(str(error), path, error.line) from error
    if not filled:
        raise empty_file(path)


def _lines(path: Path, file: TextIO) -> Records:
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            yield number, DECODER.decode(line.rstrip("\r\n"))
        except json.JSONDecodeError as error:
            fault = f"at column {error.colno} ({error.msg}); write one record per line"
            yield number, unusable(f"not valid JSON {fault}", path, number)
        except (ValueError, RecursionError) as error:
            fault = f"JSON that cannot be used ({limit_fault(error)}); correct the record"
            yield number, unusable(fault, path, number)
