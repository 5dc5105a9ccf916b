"""ObliQA's JSON: a list of records `{ID, DocumentID, PassageID, Passage}`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from indexer.problems import Problems
from indexer.readers.files import ENCODING, broken_utf8, empty_file, unreadable
from indexer.readers.json.fields import RecordsReader, foreign_record, is_nested
from indexer.readers.json.list import LIST_WITHIN, JsonList
from indexer.readers.json.record import foreign_value
from search.errors import InputError
from search.records import Passage


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
        yield from self.passages(_records(path, problems), path, source, problems)


def _records(path: Path, problems: Problems) -> Iterator[tuple[int, object]]:
    filled = False
    try:
        with path.open(encoding=ENCODING) as file:
            for line, record in JsonList(file):
                filled = True
                yield line, record
        if not filled:
            problems.add(empty_file(path))
    except UnicodeDecodeError:
        problems.add(broken_utf8(path))
    except OSError as error:
        problems.add(unreadable(path, error))
    except InputError as error:
        problems.add(InputError(str(error), path, error.line, code="source.invalid"))
