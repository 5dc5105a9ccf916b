"""JSONL: one record of a passage a line, with ObliQA's field names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from indexer.problems import Problems
from indexer.readers.files import ENCODING, broken_utf8, empty_file, unreadable
from indexer.readers.json.fields import RecordsReader, foreign_record
from indexer.readers.json.text import limit_fault, make_decoder
from search.errors import InputError
from search.records import Passage

DECODER = make_decoder()


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
        lines = _records(path, problems)
        yield from self.passages(lines, path, source, problems)


def _records(path: Path, problems: Problems) -> Iterator[tuple[int, object]]:
    filled = False
    try:
        with path.open(encoding=ENCODING) as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                filled = True
                try:
                    yield number, _parse(line.rstrip("\r\n"))
                except InputError as error:
                    yield number, InputError(str(error), path, number, code="source.invalid")
    except UnicodeDecodeError:
        problems.add(broken_utf8(path))
    except OSError as error:
        problems.add(unreadable(path, error))
    else:
        if not filled:
            problems.add(empty_file(path))


def _parse(line: str) -> object:
    try:
        return DECODER.decode(line)
    except json.JSONDecodeError as error:
        problem = f"not valid JSON at column {error.colno} ({error.msg}); write one record per line"
        raise InputError(problem, code="source.invalid") from error
    except (ValueError, RecursionError) as error:
        problem = f"JSON that cannot be used ({limit_fault(error)}); correct the record"
        raise InputError(problem, code="source.invalid") from error
