"""One reader for all formats that are read by way of another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from indexer.blocks import LeftOut
from indexer.problems import Problems
from indexer.readers.protocol import Reader, WholeDocument
from indexer.titles import first_title
from search.errors import InputError
from search.records import MetadataValue, Passage


@dataclass(frozen=True, slots=True)
class Converted:
    """What a converter made of a file."""

    path: Path
    """The file in the other format; its stem is that of the source."""
    reader: Reader
    """Reads it."""
    title: str = ""
    """Of the document, where the source names it; "" leaves it to the reader."""
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    left_out: Sequence[LeftOut] = ()


Converter = Callable[[Path, Path], Converted]
"""From a file and an empty folder to what it was turned into there; raises `InputError`."""


@dataclass(slots=True)
class ConvertedReader(WholeDocument):
    """Reads files of one format by way of another one; the other file lasts no longer."""

    name: str
    suffixes: frozenset[str]
    convert: Converter
    sign: str = ""
    """What such a file begins with, where it is a text."""
    whole_document: bool = True

    def sniff(self, beginning: str) -> bool:
        """Return whether a file begins with the sign of the format."""
        return bool(self.sign) and beginning.lstrip().startswith(self.sign)

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield the passages of the file; problems are reported for the file itself."""
        inner = Problems()
        with TemporaryDirectory(prefix="rirag-") as folder:
            made = self.convert(path, Path(folder))
            title = first_title((made.title,))
            try:
                for passage in made.reader.read(made.path, source, inner):
                    yield replace(
                        passage,
                        document_title=title or passage.document_title,
                        metadata={**made.metadata, **passage.metadata},
                    )
            except InputError as error:
                inner.add(error)
        problems.notes += inner.notes
        problems.guesses += inner.guesses
        for told in inner.told():
            said = told.removeprefix(f"{made.path}: ").replace(str(made.path), str(path))
            problems.refuse(said, path)
        problems.leave_out(source, made.left_out)
