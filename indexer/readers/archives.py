"""The files of a ZIP archive: read one by one, as those of a folder are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZipFile

from indexer.problems import Problems
from indexer.readers.detect import SAVE_AS, decoded, reader_for
from indexer.readers.elsewhere import read_elsewhere
from indexer.readers.files import unreadable
from indexer.readers.protocol import BEGINNING, Reader
from indexer.readers.unpacking import TEXT_BYTES
from indexer.readers.zipped import UNPACKING_ERRORS, member_bytes, open_zip
from search.errors import InputError
from search.records import Passage

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


@dataclass(frozen=True, slots=True)
class MemberReader:
    """Reads one file of an archive with the reader of its format."""

    archive: Path
    member: str
    inner: Reader

    @property
    def name(self) -> str:
        """The name of the member's format."""
        return self.inner.name

    @property
    def suffixes(self) -> frozenset[str]:
        """Those of the member's format."""
        return self.inner.suffixes

    @property
    def whole_document(self) -> bool:
        """Whether the member is one document."""
        return self.inner.whole_document

    def sniff(self, beginning: str) -> bool:
        """Ask the reader of the member."""
        return self.inner.sniff(beginning)

    def foreign(self, beginning: str) -> str:
        """Ask the reader of the member."""
        return self.inner.foreign(beginning)

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:
        """Yield the passages of the member, which is unpacked for as long as it is read."""
        with TemporaryDirectory(prefix="rirag-") as folder:
            made = Path(folder, PurePosixPath(self.member).name)
            try:
                data = member_bytes(_opened(self.archive), self.member, path, TEXT_BYTES)
                made.write_bytes(data or b"")
            except InputError as error:
                problems.add(error)
                return
            except OSError as error:
                problems.add(
                    InputError(
                        f"cannot be unpacked ({error.strerror}); unpack the archive yourself",
                        path,
                        code="source.unreadable",
                    )
                )
                return
            yield from read_elsewhere(self.inner, made, path, source, problems)


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
            found.append(Found(shown, MemberReader(path, member, reader), f"{name}/{inner}"))
    return found, left


def _is_hidden(part: str) -> bool:
    return part.startswith((".", "__MACOSX")) and part not in {".", ".."}


def _opened(path: Path) -> ZipFile:
    """Return an opened archive; the one that was used last stays open.

    The list of an archive's files is long, and opening it reads the whole of it.
    """
    try:
        now = path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    return _open_once(path, (now.st_ino, now.st_mtime_ns, now.st_size))


@lru_cache(maxsize=1)
def _open_once(path: Path, _: tuple[int, ...]) -> ZipFile:
    return open_zip(path)


def _beginning_of(opened: ZipFile, member: str) -> str:
    """Return the first characters of a file of an archive; nothing for one that stays packed."""
    try:
        with opened.open(member) as file:
            return decoded(file.read(BEGINNING))
    except (RuntimeError, *UNPACKING_ERRORS):
        return ""
