"""From the sources a user names to the files that are read, in natural order."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from indexer.problems import Problems
from indexer.readers.archives import SUFFIX, find_members
from indexer.readers.detect import (
    AUTO,
    SAVE_AS,
    advice,
    beginning_of_file,
    check_format,
    check_granularity,
    has_known_suffix,
    reader_for,
    with_fields,
    with_footnotes,
    with_granularity,
)
from indexer.readers.files import refused_on_error, unreadable
from indexer.readers.protocol import Reader
from indexer.structuring.acts.granularity import Granularity
from search.errors import InputError
from search.messages.arguments import text_or_path
from search.records import Passage

TITLES_FILE = "titles.json"
"""DocumentID → title; is beside documents or one folder above, and is not a document."""

ABOUT_FILES = ("changelog", "contributing", "licence", "license", "notice", "readme")
"""Names of files that describe a folder: not regulations, whatever their suffix."""

LOCK_PREFIX = "~$"
"""Begins the name of the small file that Word keeps beside a document while it is open."""

NAMED = 5
"""Skipped files that are named where a folder holds nothing else."""

_LEADS_NOWHERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_SPECIAL = {
    stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket", stat.S_IFCHR: "device", stat.S_IFBLK: "device",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Committed:
    """What a commit says of the text that it gave to a file."""

    path: str
    """Of the file, as it is called last."""
    commit: str
    key: str
    """Names the text among those of the file, whichever commit has it."""
    day: str
    """From which on it is law; empty: not known."""
    work: str
    """DocumentID of the work; empty: not told."""
    name: str
    """DocumentID of the work where nothing else gives one."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read."""

    path: Path
    reader: Reader
    name: str
    """How passages name it: its path below the folder given, or its file name."""
    committed: Committed | None = None
    """Of a text in the history of a repository: what its commit says of it."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file of a folder that was not read."""

    path: str
    reason: str
    document: bool = False
    """Whether it looks like a document: then it is a problem that nobody read it."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What the sources come to."""

    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...]
    refused: tuple[InputError, ...] = ()
    """What of a folder cannot be looked at: left out as a broken file is."""
    has_folder: bool = False
    """Whether a folder was named, which may be all that an index is to hold."""
    notes: tuple[str, ...] = ()
    """Sentences on them for the report."""
    may_be_empty: bool = False
    """Whether there may be no file, since all is loaded already."""


def find_sources(
    sources: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    format: str = AUTO,  # noqa: A002 - the option's name
    granularity: Granularity | None = None,
    *,
    footnotes: bool = False,
    fields: Mapping[str, str] | None = None,
) -> Sources:
    """Return the files of one source or several; a file named twice is read once.

    Raises:
        InputError: a source is missing, cannot be read or is not a file, a folder holds nothing to
            read, or a file has no known format, or one that knows no granularity where one is
            given. All of them are reported together. A subfolder or a file of a folder that cannot
            be read refuses the run only where there are files of records, whose documents may go
            on in it, or nothing else.
    """
    check_format(format)
    if granularity is not None:
        check_granularity(granularity)
    problems = Problems()
    files: dict[Path, SourceFile] = {}
    skipped: list[SkippedFile] = []
    closed: list[InputError] = []
    single = isinstance(sources, str | bytes) or not isinstance(sources, Iterable)
    all_: Iterable[Any] = [sources] if single else sources  # type: ignore[assignment]
    given = [text_or_path(one, "a source") for one in all_]
    named = [one for one in given if one]
    if not named or len(named) < len(given):
        problems.refuse("no source was given; name a file or a folder", code="source.missing")
    for source in map(Path, named):
        found, left = _files_of(source, format, problems, closed)
        skipped += left
        for file in found:
            before = len(problems)
            read = replace(file, reader=with_footnotes(file.reader)) if footnotes else file
            read = replace(read, reader=with_fields(read.reader, fields)) if fields else read
            read = _printable(_granular(read, granularity, problems))
            if len(problems) == before:
                files.setdefault(file.path.resolve(), read)
    if len(problems) or not files or _has_records(files.values()):
        for problem in closed:
            problems.add(problem)
    problems.raise_if_any(others=bool(files))
    has_folder = any(Path(one).is_dir() for one in named)
    return Sources(tuple(files.values()), tuple(skipped), tuple(closed), has_folder)


def _has_records(files: Iterable[SourceFile]) -> bool:
    """Return whether there are records, whose documents may continue in an unread file."""
    return not all(file.reader.whole_document for file in files)


def _granular(file: SourceFile, granularity: Granularity | None, problems: Problems) -> SourceFile:
    """Return a file whose reader has a granularity; note where it knows none."""
    if granularity is None:
        return file
    try:
        return replace(file, reader=with_granularity(file.reader, granularity))
    except InputError as error:
        problems.refuse(str(error), _shown(file.path), code="granularity.unsupported")
        return file


def unread(skipped: Iterable[SkippedFile]) -> tuple[str, ...]:
    """Return a problem for each skipped file that looks like a document."""
    return tuple(
        f"{file.path}: was not read ({file.reason}); {advice(Path(file.path))}"
        for file in skipped
        if file.document
    )


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key by which `2.json` comes before `10.json`."""
    parts = re.findall(r"[0-9]+|[^0-9]+", text.casefold())
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def _files_of(
    source: Path,
    format: str,  # noqa: A002 - the option's name
    problems: Problems,
    closed: list[InputError],
) -> tuple[list[SourceFile], list[SkippedFile]]:
    """Return the files of one source that are read, and those that are not.

    What cannot be looked at inside of a folder is noted in `closed`.
    """
    try:
        mode = source.stat().st_mode
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        if isinstance(error, OSError) and error.errno not in _LEADS_NOWHERE:
            problems.add(unreadable(source, error))
        else:
            problems.refuse(
                "no such file or folder; check the path", _shown(source), code="source.missing"
            )
        return [], []
    if stat.S_ISREG(mode) and source.suffix.lower() == SUFFIX:
        return _members(source, source.name, format, problems)
    if not stat.S_ISDIR(mode):
        return _single(source, mode, format, problems), []
    if _is_index(source):
        problems.refuse(
            "is an index of rirag; give the folder of its sources",
            source,
            code="source.is-an-index",
        )
        return [], []
    before = len(closed)
    found, skipped = _walk(source, format, closed)
    if not found and len(closed) == before:
        problem = f"the folder contains no file that rirag reads{_reasons(source, skipped)}"
        problems.refuse(problem, source, code="source.unreadable")
    return found, skipped


def _single(path: Path, mode: int, format: str, problems: Problems) -> list[SourceFile]:  # noqa: A002
    if special := _special(mode):
        problems.refuse(f"is {special}, not a file; save it first", path, code="source.unreadable")
    else:
        try:
            with refused_on_error(path):
                return [SourceFile(path, reader_for(path, format), path.name)]
        except InputError as error:
            problems.add(error if _is_utf8(path.name) else _not_utf8(path))
    return []


def _members(
    path: Path,
    name: str,
    format: str,  # noqa: A002 - the option's name
    problems: Problems,
) -> tuple[list[SourceFile], list[SkippedFile]]:
    """Return the files of an archive that are read, and those that are not."""
    try:
        with refused_on_error(path):
            found, left = find_members(path, name, format, unfit_name)
    except InputError as error:
        problems.add(error)
        return [], []
    if not found:
        reasons = [SkippedFile(*one) for one in left]
        problem = f"the archive contains no file that rirag reads{_reasons(path, reasons)}"
        problems.refuse(problem, path, code="source.unreadable")
    return [SourceFile(*one) for one in found], [SkippedFile(*one) for one in left]


def _walk(
    folder: Path,
    format: str,  # noqa: A002 - the option's name
    closed: list[InputError],
) -> tuple[list[SourceFile], list[SkippedFile]]:
    """Return the files of a folder, its subfolders and archives; hidden ones are left alone."""
    found: list[SourceFile] = []
    skipped: list[SkippedFile] = []
    for path in sorted(_visible(folder, closed), key=lambda path: natural_key(str(path))):
        if path.name.lower() == TITLES_FILE:
            continue
        if path.suffix.lower() == SUFFIX and path.is_file():
            inner = path.relative_to(folder).as_posix()
            refused = Problems()
            some, left = _members(path, inner, format, refused)
            found += some
            skipped += left
            for told in refused.told():
                said = told.removeprefix(f"{path}: ")
                skipped.append(SkippedFile(_shown(path), said, document=True))
            continue
        try:
            with refused_on_error(path):
                reason = _unfit(path)
                reader = None if reason else reader_for(path, format)
                reason = reader.foreign(beginning_of_file(path)) if reader else reason
        except InputError as error:
            closed.append(error)
            continue
        inner = path.relative_to(folder).as_posix()
        if reason or not reader:
            skipped.append(SkippedFile(_shown(path), reason, path.suffix.lower() in SAVE_AS))
        else:
            found.append(SourceFile(path, reader, inner))
    return found, skipped


def _visible(folder: Path, unread: list[InputError]) -> Iterator[Path]:
    """Yield what is in a folder and its subfolders, but folders; note those that stay closed.

    A folder that is an index is yielded itself, and nothing of what it holds.
    """

    def refuse(error: OSError) -> None:
        unread.append(unreadable(Path(error.filename), error))

    for parent, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        closed = [name for name in folders if _is_closed(Path(parent, name))]
        folders[:] = [name for name in folders if name not in closed]
        yield from (Path(parent, name) for name in (*files, *closed) if not name.startswith("."))


def _is_closed(folder: Path) -> bool:
    return folder.is_symlink() or _is_index(folder)


def _is_index(folder: Path) -> bool:
    from search.engines.embedded.layout import is_index  # brings the engine along

    return is_index(folder)


def _unfit(path: Path) -> str:
    """Return why something in a folder is not a source, whatever it holds, or ""."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if error.errno in _LEADS_NOWHERE:
            return "a broken link"
        raise
    if stat.S_ISDIR(mode):
        linked = "a link to a folder; give that folder to load it"
        return "an index of rirag, not its sources" if _is_index(path) else linked
    if special := _special(mode):
        return f"{special}, not a file"
    return unfit_name(path)


def unfit_name(path: Path) -> str:
    """Return why a file of this name is not read where a folder holds it, or ""."""
    if path.name.startswith(LOCK_PREFIX):
        return "the lock of a file that is open in Word, not a document"
    if path.stem.lower() in ABOUT_FILES:
        return "a project file (README, licence, …), not a regulation"
    return "" if has_known_suffix(path) else "not a format that rirag reads"


def _special(mode: int) -> str:
    kind = _SPECIAL.get(stat.S_IFMT(mode))
    return f"a {kind}" if kind else ""


def _reasons(folder: Path, skipped: Sequence[SkippedFile]) -> str:
    """Return why the files of a folder were skipped, the first of them, for a message."""
    if not skipped:
        return ""
    reasons = [f"{os.path.relpath(file.path, folder)}: {file.reason}" for file in skipped[:NAMED]]
    if len(skipped) > NAMED:
        reasons.append(f"and {len(skipped) - NAMED:,} more")
    return f" ({'; '.join(reasons)})"


@dataclass(slots=True)
class _Misnamed:
    """Stands in for the reader of a file whose name is not UTF-8: refuses it as a reader would."""

    name: str
    suffixes: frozenset[str]
    whole_document: bool

    def sniff(self, beginning: str) -> bool:  # noqa: ARG002 - the protocol's argument
        """Recognise no file."""
        return False

    def foreign(self, beginning: str) -> str:  # noqa: ARG002 - the protocol's argument
        """Return no reason to skip a file."""
        return ""

    def read(self, path: Path, source: str, problems: Problems) -> Iterator[Passage]:  # noqa: ARG002
        """Yield nothing after noting the file."""
        problems.add(_not_utf8(path))
        return iter(())


def _printable(file: SourceFile) -> SourceFile:
    """Return a file that can be named in texts; one that cannot is refused when it is read."""
    if _is_utf8(file.name):
        return file
    reader = _Misnamed(file.reader.name, file.reader.suffixes, file.reader.whole_document)
    return replace(file, reader=reader, name=_shown(Path(file.name)))


def _is_utf8(name: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _not_utf8(path: Path) -> InputError:
    return InputError(
        "the name of the file is not UTF-8; rename it", _shown(path), code="source.unreadable"
    )


def _shown(path: Path) -> str:
    """Return a path that can be printed, whatever bytes its name holds."""
    return str(path).encode(errors="backslashreplace").decode()
