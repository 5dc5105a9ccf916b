"""Read a file that was made of another one: problems name the one that the user named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from indexer.problems import Problems
from indexer.readers.protocol import Reader
from search.errors import InputError
from search.records import Passage


def read_elsewhere(
    reader: Reader, made: Path, path: Path, source: str, problems: Problems
) -> Iterator[Passage]:
    """Yield the passages of a file that was made of another.

    Args:
        reader: of the file that was made.
        made: that file; it lasts no longer than the reading.
        path: what the user named.
        source: its name as passages show it.
        problems: gets what is wrong, reported for `path`.
    """
    inner = Problems()
    yield from reader.read(made, source, inner)
    problems.notes += inner.notes
    problems.guesses += inner.guesses
    for told in inner.told():
        said = told.removeprefix(f"{made}: ").replace(str(made), str(path))
        problems.add(InputError(said, path, code="source.invalid"))
