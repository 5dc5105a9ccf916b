"""Writing a file that is whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

from search.errors import StorageError


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
