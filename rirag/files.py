"""Writing a file that is whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

from search.errors import StorageError


def write_text(path: Path, text: str, what: str) -> None:
    """Write a text file, complete or not at all.

    Args:
        path: of the file; what was there before stays until the new one is whole.
        text: its content.
        what: name of what is written, for the message, such as `the report`.

    Raises:
        StorageError: it cannot be written.
    """
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise StorageError(f"{path}: {what} cannot be written: {error.strerror}.") from None
