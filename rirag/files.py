"""Reading a whole text, writing one that is whole or not there, and the hash of a file."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from search.errors import InputError, StorageError


def read_text(path: Path, *, may_be_empty: bool = False) -> str:
    r"""Return the text of a UTF-8 file, its lines ended by `\n`.

    Args:
        path: of the file.
        may_be_empty: whether a file without text is one that can be used.

    Raises:
        InputError: the file is missing, unreadable, not UTF-8, or empty and must not be.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"the file cannot be read: {reason}.", path) from None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("this line is not UTF-8; save the file as UTF-8.", path, line) from None
    if not (may_be_empty or text.strip()):
        raise InputError("the file is empty.", path)
    return text


def write_text(path: Path, text: str, what: str) -> None:
    """Write a text file, complete or not at all.

    A link stays one, and a pipe or a device is written to as it is.

    Args:
        path: of the file; what was there before stays until the new one is whole.
        text: its content.
        what: name of what is written, for the message, such as `the report`.

    Raises:
        StorageError: it cannot be written.
    """
    target = path.resolve() if path.is_symlink() else path
    special = target.exists() and not target.is_file()
    unfinished = target if special else target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_text(text, encoding="utf-8")
        if not special:
            unfinished.replace(target)
    except OSError as error:
        if not special:
            unfinished.unlink(missing_ok=True)
        raise StorageError(f"{path}: {what} cannot be written: {error.strerror}.") from None


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
