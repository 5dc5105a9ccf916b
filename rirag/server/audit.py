"""An append-only file that says who did what, when, on which state of the index."""

from __future__ import annotations

import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from search.errors import StorageError


class Audit:
    """Appends one JSON object a line; a line that was written is on the disk."""

    def __init__(self, path: Path | None) -> None:
        """Open the file.

        Raises:
            StorageError: it cannot be written.
        """
        self.path = path
        self._lock = threading.Lock()
        self._file: int | None = None
        if path is not None:
            try:
                self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            except OSError as error:
                raise _unwritable(path, error) from None

    def write(self, who: str, what: str, **facts: Any) -> None:
        """Append a line.

        Raises:
            StorageError: it cannot be written, so that the action it records must not continue.
        """
        if self._file is None or self.path is None:
            return
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        record = {"time": time, "who": who or "local", "what": what, **facts}
        line = json.dumps(record, ensure_ascii=True) + "\n"
        try:
            with self._lock:
                os.write(self._file, line.encode())
                os.fsync(self._file)
        except OSError as error:
            raise _unwritable(self.path, error) from None

    def newest(self, count: int) -> list[dict[str, Any]]:
        """Return the newest lines, newest first."""
        if self.path is None:
            return []
        with self.path.open("rb") as file:
            file.seek(max(0, self.path.stat().st_size - 400 * count))
            lines = file.read().decode("utf-8", "replace").splitlines()[-count:]
        return [json.loads(line) for line in reversed(lines) if line.startswith('{"time"')]

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _unwritable(path: Path, error: OSError) -> StorageError:
    return StorageError(f"{path}: the audit file cannot be written: {error.strerror}.")
