"""Reading a whole text, writing one that is whole or not there, and the hash of a file."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from rirag.refusals import unusable
from search.errors import InputError, StorageError


def read_text(path: Path, *, may_be_empty: bool = False) -> str:
    r"""Return the text of a UTF-8 file, its lines ended by `\n`.

    Args:
        path: of the file.
        may_be_empty: whether a file without text is one that can be used.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise unusable("file.unreadable", path, reason=reason) from None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            "this line is not UTF-8; save the file as UTF-8.", path, line, code="file.encoding"
        ) from None
    if not (may_be_empty or text.strip()):
        raise InputError("the file is empty.", path, code="file.empty")
    return text


def write_text(path: Path, text: str, what: str) -> None:
    """Write a text file, complete or not at all.

    A link stays one, and a pipe or a device is written to as it is.

    Args:
        path: of the file; what was there before stays until the new one is whole.
        text: its content.
        what: name of what is written, for the message, such as `the report`.
    """
    special = path.exists() and not path.is_file()
    target = path.resolve() if path.is_symlink() and not special else path
    unfinished = target if special else target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_text(text, encoding="utf-8")
        if not special:
            unfinished.replace(target)
    except OSError as error:
        if not special:
            unfinished.unlink(missing_ok=True)
        raise StorageError(f"{path}: {what} cannot be written: {error.strerror}.") from None


def refuse_output(path: Path, what: str, read: Iterable[Path | None] = ()) -> None:
    """Refuse an output file before the work is done that it would hold.

    Args:
        path: of the file.
        what: name of what is to be written, for the message, such as `the report`.
        read: files that the work reads, which must not be replaced; None: was not given.
    """
    for one in read:
        if one is not None and path.exists() and one.exists() and path.samefile(one):
            raise unusable("output.is-input/file", path, what=what)
    problem = _unwritable(path)
    if problem:
        raise StorageError(f"{path}: {what} cannot be written: {problem}.")


def refuse_output_folder(folder: Path, what: str) -> None:
    """Refuse a folder for the output that is a file, or that would be in one."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), folder)
    if there.exists() and not there.is_dir():
        raise StorageError(f"{folder}: {what} cannot be written: {there} is a file; give a folder.")


def _unwritable(path: Path) -> str:
    """Return why `write_text` could not write a file; empty: it can, as far as is known."""
    if path.is_dir():
        return "this is a folder; give a file"
    if path.exists() and not path.is_file():
        return ""
    folder = (path.resolve() if path.is_symlink() else path).parent
    if not folder.is_dir():
        return f"the folder {folder} does not exist"
    return "" if os.access(folder, os.W_OK | os.X_OK) else f"the folder {folder} is read-only"


def named_hash(path: Path) -> dict[str, str]:
    """Return the name and SHA-256 of a file, as the record of a result holds them."""
    return {"file": path.name, "sha256": sha256_of(path)}


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
