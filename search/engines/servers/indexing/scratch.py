"""Files of a load on this machine; they live as long as it does."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from search.errors import StorageError


@contextmanager
def scratch_errors() -> Iterator[None]:
    """Turn what the disk refuses into one sentence."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        raise StorageError(
            "a temporary file of the load cannot be written to "
            f"{tempfile.gettempdir()} ({error}); free some space there, or set TMPDIR "
            "to another folder, and load again"
        ) from error
