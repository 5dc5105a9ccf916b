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
            f"cannot write into {tempfile.gettempdir()} what a load needs for its time ({error}); "
            "free some space there, or let TMPDIR name another folder, and load again"
        ) from error
