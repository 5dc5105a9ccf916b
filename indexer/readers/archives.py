"""The files of a ZIP archive: read one by one, as those of a folder are."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from zipfile import ZipFile

from indexer.readers.converted.reader import Converted, ConvertedReader
from indexer.readers.detect import SAVE_AS, decoded, reader_for
from indexer.readers.protocol import BEGINNING, Reader
from indexer.readers.zipped import TEXT_BYTES, UNPACKING_ERRORS, member_bytes, open_zip
from search.errors import InputError

SUFFIX = ".zip"


class Found(NamedTuple):
    """A file of an archive that is read."""

    path: Path
    """The archive's, and the file's name in it; there is no such file on the disk."""
    reader: Reader
    name: str
    """How passages name it."""


class Left(NamedTuple):
    """A file of an archive that is not read."""

    path: str
    reason: str
    document: bool
    """Whether it looks like a document."""


def find_members(
    path: Path,
    name: str,
    format: str,  # noqa: A002 - the option's name
    unfit: Callable[[Path], str],
) -> tuple[list[Found], list[Left]]:
    """Return the files of an archive that are read, and those that are not.

    Args:
        path: of the archive.
        name: of the archive as passages show it.
        format: what `--format` says.
        unfit: returns why a file is not a source by its name, or "".

    Raises:
        InputError: it is not an archive, damaged, or has too many files.
    """
    opened = _opened(path)
    names = [info.filename for info in opened.infolist() if not info.is_dir()]
    found: list[Found] = []
    left: list[Left] = []
    for member in names:
        inner = PurePosixPath(member.replace("\\", "/"))
        if not inner.name or any(map(_is_hidden, inner.parts)):
            continue
        shown = Path(path, *(part for part in inner.parts if part not in {"/", ".", ".."}))
        beginning = partial(_beginning_of, opened, member)
        nested = inner.suffix.lower() == SUFFIX
        reason = "an archive in an archive; unpack it" if nested else unfit(shown)
        if not reason:
            reader = reader_for(shown, format, beginning)
            reason = reader.foreign(beginning())
        if reason:
            left.append(Left(str(shown), reason, nested or inner.suffix.lower() in SAVE_AS))
        else:
            unpack = partial(_unpacked, path, member, reader)
            whole = reader.whole_document
            own = ConvertedReader(reader.name, reader.suffixes, unpack, whole_document=whole)
            found.append(Found(shown, own, f"{name}/{inner}"))
    return found, left


def _unpacked(archive: Path, member: str, reader: Reader, path: Path, folder: Path) -> Converted:
    """Write a file of an archive into a folder, for as long as it is read."""
    made = folder / PurePosixPath(member).name
    try:
        made.write_bytes(member_bytes(_opened(archive), member, path, TEXT_BYTES) or b"")
    except OSError as error:
        problem = f"cannot be unpacked ({error.strerror}); unpack the archive yourself"
        raise InputError(problem, path, code="source.unreadable") from error
    return Converted(made, reader)


def _is_hidden(part: str) -> bool:
    return part.startswith((".", "__MACOSX")) and part not in {".", ".."}


def _opened(path: Path) -> ZipFile:
    """Return an opened archive; the one that was used last stays open.

    The list of an archive's files is long, and opening it reads the whole of it.
    """
    now = path.stat()
    return _open_once(path, (now.st_ino, now.st_mtime_ns, now.st_size))


@lru_cache(maxsize=1)
def _open_once(path: Path, _: tuple[int, ...]) -> ZipFile:
    return open_zip(path)


def _beginning_of(opened: ZipFile, member: str) -> str:
    try:
        with opened.open(member) as file:
            return decoded(file.read(BEGINNING))
    except (RuntimeError, *UNPACKING_ERRORS):
        return ""
