"""An append-only file that says who did what, when, on which state of the index."""

from __future__ import annotations

import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rirag.refusals import failed

BROKEN = "(this line of the file is broken)"


class Audit:
    """Appends one JSON object a line; a line that was written is on the disk."""

    def __init__(self, path: Path | None) -> None:
        """Open the file."""
        self.path = path
        self._lock = threading.Lock()
        self._file: int | None = None
        if path is not None:
            try:
                self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            except OSError as error:
                raise failed("storage.failed/audit", path=path, error=error) from None

    def write(self, who: str, what: str, **facts: Any) -> None:
        """Append a line; where it cannot be written, what it records must not go on."""
        if self._file is None or self.path is None:
            return
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        record = {"time": time, "who": who or "local", "what": what, **facts}
        line = json.dumps(record, ensure_ascii=True) + "\n"
        try:
            with self._lock:
                size = os.fstat(self._file).st_size
                if size and os.pread(self._file, 1, size - 1) != b"\n":
                    line = "\n" + line  # the disk cut off the line before
                os.write(self._file, line.encode())
                os.fsync(self._file)
        except OSError as error:
            raise failed("storage.failed/audit", path=self.path, error=error) from None

    def newest(self, count: int) -> list[dict[str, Any]]:
        """Return the newest lines, newest first; of one that is broken, that it is."""
        if self.path is None or not self.path.exists():
            return []
        with self.path.open("rb") as file:
            file.seek(max(0, self.path.stat().st_size - 400 * count))
            is_cut = file.tell() > 0
            lines = file.read().decode("utf-8", "replace").splitlines()[is_cut:][-count:]
        return [_record(line) for line in reversed(lines) if line]

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _record(line: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(line)
        return {name: found[name] for name in ("time", "who", "what")} | found
    except (ValueError, KeyError, TypeError):
        return {"time": "", "who": "", "what": BROKEN}
