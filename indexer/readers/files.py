"""Text files as readers see them: UTF-8 with or without a byte-order mark."""

from __future__ import annotations

from pathlib import Path

from indexer.problems import Problems
from search.errors import InputError

ENCODING = "utf-8-sig"
"""UTF-8; a byte-order mark at the start is skipped."""


def read_text(path: Path, problems: Problems) -> str | None:
    """Return a file's text with `\\n` line ends, or None after noting why it cannot be used."""
    try:
        text = path.read_text(encoding=ENCODING)
    except UnicodeDecodeError:
        problems.add(broken_utf8(path))
        return None
    except OSError as error:
        problems.add(unreadable(path, error))
        return None
    if not text.strip():
        problems.add(empty_file(path))
        return None
    return text


def unreadable(path: Path, error: OSError) -> InputError:
    """Return the error for a file that the system does not give."""
    return InputError(
        f"cannot be read ({error.strerror}); check its permissions", path, code="source.unreadable"
    )


def empty_file(path: Path) -> InputError:
    """Return the error for a file without content."""
    return InputError(
        "the file is empty; give a file that contains passages", path, code="source.empty"
    )


def broken_utf8(path: Path) -> InputError:
    """Return the error for a file that is not UTF-8, with the line of the first bad byte."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                problem = f"byte {error.start + 1} of the line is not UTF-8; save the file as UTF-8"
                return InputError(problem, path, number, code="source.invalid")
    return InputError("the file is not UTF-8; save it as UTF-8", path, code="source.encoding")
