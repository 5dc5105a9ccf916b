"""What rirag asks of a reader: one file format in, passages out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from indexer.problems import Problems
from search.records import Passage

BEGINNING = 65_536
"""Bytes of a file that `Reader.sniff` and `Reader.foreign` look at."""


class WholeDocument:
    """What readers of formats that no text has share: a file is one document, and only reading it
    shows whether it can be used.
    """

    whole_document = True

    def sniff(self, beginning: str) -> bool:  # noqa: ARG002 - the protocol's argument
        """Return False: a file of this format is not text."""
        return False

    def foreign(self, beginning: str) -> str:  # noqa: ARG002 - the protocol's argument
        """Return "": only reading shows whether a file is usable."""
        return ""


class Reader(Protocol):
    """Reads one file format.

    A reader knows numbers, texts and metadata; the hierarchy (`order`, `depth`, `parent`,
    `breadcrumb`, and the `kind` where the reader leaves it at `"rule"`) is built afterwards.
    """

    name: str
    """The name that `--format` takes."""
    suffixes: frozenset[str]
    """File suffixes of the format, lower case, with the dot."""
    whole_document: bool
    """Whether one file is one document, so that no two files may hold the same."""

    def sniff(self, beginning: str) -> bool:
        """Return whether a file of another suffix has this format, by its first characters."""
        ...

    def foreign(self, beginning: str) -> str:
        """Return why a file of a folder is none of this format's regulations, or "".

        Empty and broken files are not foreign: reading them tells what is wrong.
        """
        ...

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield the passages in the order of the file.

        What cannot be used is added to `problems` with file and line, and reading continues where
        it can. `source` is the file's name as passages show it; the reader adds the line.

        Raises:
            InputError: the file cannot be used.
            OSError: the system does not give it.
        """
        ...
