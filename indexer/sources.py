"""From the sources a user names to the files that are read, in natural order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from indexer.problems import Problems
from indexer.readers.detect import AUTO, beginning_of, check_format, has_known_suffix, reader_for
from indexer.readers.protocol import Reader
from search.errors import InputError

TITLES_FILE = "titles.json"
"""DocumentID → title; stands beside documents or one folder above, and is no document."""

ABOUT_FILES = ("changelog", "contributing", "licence", "license", "notice", "readme")
"""Names of files that tell about a folder: not regulations, whatever their suffix."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read."""

    path: Path
    reader: Reader
    name: str
    """How passages name it: its path below the folder given, or its file name."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file of a folder that was not read."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What the sources come to."""

    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]


def find_sources(
    sources: Sequence[str | Path],
    format: str = AUTO,  # noqa: A002 - the option's name
) -> Sources:
    """Return the files of sources; a file named twice is read once.

    Raises:
        InputError: a source is missing, a folder holds nothing to read, or a file has no known
            format. All of them are told together.
    """
    check_format(format)
    problems = Problems()
    files: dict[Path, SourceFile] = {}
    skipped: list[SkippedFile] = []
    if not sources:
        problems.add(InputError("no source was given; name a file or a folder"))
    for source in map(Path, sources):
        if source.is_dir():
            found, left = _walk(source, format)
            skipped += left
            if not found:
                problems.add(InputError("the folder holds no file that rirag reads", source))
        elif source.exists():
            found = _single(source, format, problems)
        else:
            problems.add(InputError("no such file or folder; check the path", source))
            found = []
        for file in found:
            files.setdefault(file.path.resolve(), file)
    problems.raise_if_any()
    return Sources(tuple(files.values()), tuple(skipped))


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key by which `2.json` comes before `10.json`."""
    parts = re.findall(r"[0-9]+|[^0-9]+", text.casefold())
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def _single(path: Path, format: str, problems: Problems) -> list[SourceFile]:  # noqa: A002
    try:
        return [SourceFile(path, reader_for(path, format), path.name)]
    except InputError as error:
        problems.add(error)
        return []


def _walk(folder: Path, format: str) -> tuple[list[SourceFile], list[SkippedFile]]:  # noqa: A002
    """Return the files of a folder and of its subfolders; hidden ones are left alone."""
    found, skipped = [], []
    for path in sorted(folder.rglob("*"), key=lambda path: natural_key(str(path))):
        inner = path.relative_to(folder)
        if not path.is_file() or any(part.startswith(".") for part in inner.parts):
            continue
        if path.name.lower() == TITLES_FILE:
            continue
        if path.stem.lower() in ABOUT_FILES:
            skipped.append(SkippedFile(str(path), "tells about the folder, is no regulation"))
        elif not has_known_suffix(path):
            skipped.append(SkippedFile(str(path), "no format that rirag reads"))
        else:
            reader = reader_for(path, format)
            if reason := reader.foreign(beginning_of(path)):
                skipped.append(SkippedFile(str(path), reason))
            else:
                found.append(SourceFile(path, reader, inner.as_posix()))
    return found, skipped
