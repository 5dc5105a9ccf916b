"""Where the embedded engine keeps what: one folder, immutable generations, one pointer.

    index/
      CURRENT                 the name of the generation that searchers open
      lock                    held by the one process that loads
      pending.sqlite          vectors of a load that did not finish, for the next attempt
      generations/000003/
        manifest.json         what it holds, and size and CRC-32 of every other file
        passages.sqlite       passages, documents, lookup keys, filter values
        filters.u32           row numbers of each filter value
        row_documents.u32     row → position of its document
        row_kinds.u8          row → place of its kind in `search.records.KINDS`
        codes.u32             terms of the rows, each as its CRC-32; where passages have days
        code_bounds.i64       first of each row, and the end
        vectors.f16, vectors.i8, scales.f32, vector_rows.u32
        lexical/, documents/  BM25 over passages and over whole documents
      questions/              an index of the same form: the answered questions, if there are any

A load builds the next generation beside the current one and then replaces `CURRENT`; a crash at
any moment leaves a folder that nobody points at, which the next load removes.
"""

from __future__ import annotations

import os
import shutil
import zlib
from pathlib import Path

from search.errors import IndexCorruptError, IndexUnavailableError
from search.messages.refusals import on_index

CURRENT = "CURRENT"
LOCK = "lock"
PENDING = "pending.sqlite"
GENERATIONS = "generations"
PARTIAL = ".partial"

MANIFEST = "manifest.json"
PASSAGES = "passages.sqlite"
FILTERS = "filters.u32"
ROW_DOCUMENTS = "row_documents.u32"
ROW_KINDS = "row_kinds.u8"
CODES = "codes.u32"
CODE_BOUNDS = "code_bounds.i64"
VECTORS_F16 = "vectors.f16"
VECTORS_I8 = "vectors.i8"
SCALES = "scales.f32"
VECTOR_ROWS = "vector_rows.u32"
LEXICAL = "lexical"
DOCUMENTS = "documents"

_SQLITE = b"SQLite format 3\0"

MEND = "restore it from a backup, or delete the folder and ingest again"
"""What to do about a damaged file."""


def mend(error: BaseException) -> str:
    """Return what to do about a file that cannot be read."""
    return "check its permissions" if isinstance(error, PermissionError) else MEND


def is_index(folder: Path) -> bool:
    """Return whether a folder is an index, damaged ones and unfinished first loads included."""
    marks = (folder / name for name in (CURRENT, LOCK, PENDING))
    try:
        return (folder / GENERATIONS).is_dir() and any(mark.is_file() for mark in marks)
    except OSError:  # a folder that stays closed
        return False


def current_name(root: Path) -> str | None:
    """Return the name of the current generation, or None where there is no index."""
    try:
        name = (root / CURRENT).read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        told = f"{root / CURRENT} cannot be read ({error.strerror}): {mend(error)}"
        raise IndexCorruptError(told) from error
    except UnicodeDecodeError as error:
        raise IndexCorruptError(f"{root / CURRENT} does not name a generation; {MEND}") from error
    name, _, seal = name.partition(" ")
    if not (_is_generation(name) and seal in ("", _seal(name))):
        raise IndexCorruptError(f"{root / CURRENT} does not name a generation; {MEND}")
    return name


def current_generation(root: Path) -> Path:
    """Return the folder of the current generation.

    Raises:
        IndexUnavailableError: there is no index in the folder.
    """
    name = current_name(root)
    if name is None:
        if is_index(root):
            raise IndexUnavailableError(
                f"the first load into {root} is still running or was interrupted; "
                "wait for it, or run the same rirag ingest again to complete it",
                code="index.incomplete",
            )
        what = "is not a rirag index" if root.exists() else "does not exist"
        raise IndexUnavailableError(
            f"the index {root} {what}; make it with: {on_index('rirag ingest SOURCE', root)}",
            code="index.missing",
        )
    return root / GENERATIONS / name


def refuse_foreign(root: Path) -> None:
    """Refuse a folder without an index that holds files of somebody else under our names.

    Raises:
        IndexUnavailableError: there is one; nothing was touched.
    """
    if current_name(root) is not None:
        return
    if not is_index(root) and (others := _others_in(root)):
        raise IndexUnavailableError(
            f"the folder {root} holds other files ({others[0]}); give the index a folder of its "
            "own with --index",
            code="index.foreign",
        )
    foreign = [] if _may_be_database(root / PENDING) else [root / PENDING]
    foreign += [] if _may_be_lock(root / LOCK) else [root / LOCK]
    first = root / GENERATIONS / "000001"
    if first.exists() and not (first / MANIFEST).is_file():
        foreign.append(first)
    if foreign:
        raise IndexUnavailableError(
            f"{foreign[0]} was not written by rirag; choose another folder with --index",
            code="index.foreign",
        )


def _others_in(root: Path) -> list[str]:
    """Return what a folder holds that no index writes; hidden files do not count, nor what is at
    the root of a disk.
    """
    ours = {CURRENT, LOCK, PENDING, GENERATIONS, "questions", "lost+found"}
    if not root.is_dir():
        return []
    names = (one.name for one in root.iterdir())
    return sorted(one for one in names if one not in ours and not one.startswith((".", PENDING)))


def _may_be_database(path: Path) -> bool:
    """Return whether SQLite may have written a file, be it in a load that was cut off."""
    return not path.exists() or _beginning(path) in (_SQLITE, b"", bytes(len(_SQLITE)))


def _may_be_lock(path: Path) -> bool:
    return not path.exists() or not _beginning(path).strip(b"0123456789\0")


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE))
    except OSError:  # what may not be read is told when it is opened
        return b""


def next_partial(root: Path) -> Path:
    """Make the empty folder in which the next generation is built; clear earlier remains."""
    generations = root / GENERATIONS
    generations.mkdir(parents=True, exist_ok=True)
    for leftover in generations.glob("[0-9]" * 6 + PARTIAL):
        shutil.rmtree(leftover)
    current = current_name(root)
    if current is None:
        _check_first_load(root)
    number = int(current or 0) + 1
    partial = generations / f"{number:06d}{PARTIAL}"
    partial.mkdir()
    return partial


def _check_first_load(root: Path) -> None:
    """Refuse a folder that has lost its pointer, rather than start again and remove what it holds.

    Generation 1 alone may be there without one: the first load died just before it wrote it.
    """
    names = {one.name for one in (root / GENERATIONS).iterdir() if _is_generation(one.name)}
    if names - {"000001"}:
        line = f"{max(names)} {_seal(max(names))}"
        raise IndexCorruptError(
            f"{root / CURRENT} is missing although the folder contains an index; "
            f"restore it from a backup, or write the line {line!r} into it, or ingest "
            "into another folder"
        )


def publish(root: Path, partial: Path) -> Path:
    """Make a finished generation the current one; the one before stays until the next load.

    Everything is on the disk before the pointer moves, and the pointer moves in one rename.
    """
    for path in sorted(partial.rglob("*")):
        _sync(path)
    _sync(partial)
    final = partial.with_suffix("")
    if final.exists():  # left by a crash between the two renames below
        shutil.rmtree(final)
    partial.rename(final)
    _sync(final.parent)
    pointer = root / (CURRENT + ".new")
    pointer.write_text(f"{final.name} {_seal(final.name)}\n", encoding="utf-8")
    _sync(pointer)
    previous = current_name(root)
    pointer.replace(root / CURRENT)
    _sync(root)
    _remove_all_but(root, {final.name, previous})
    return final


def _remove_all_but(root: Path, names: set[str | None]) -> None:
    for folder in (root / GENERATIONS).iterdir():
        if _is_generation(folder.name) and folder.name not in names:
            shutil.rmtree(folder, ignore_errors=True)


def _is_generation(name: str) -> bool:
    return name.isascii() and name.isdecimal() and len(name) == 6


def _seal(name: str) -> str:
    """Return a checksum, so that a damaged pointer cannot name an older generation."""
    return f"{zlib.crc32(name.encode()):08x}"


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
