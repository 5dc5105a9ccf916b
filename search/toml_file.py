"""Read TOML files that people write; a mistake is reported with its line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from search.errors import InputError


def changed_at(path: Path, what: str, code: str) -> int:
    """Return when a file was changed, in nanoseconds.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise InputError(_unreadable(what, error), path, code=code) from None


def read_toml(path: Path, what: str, code: str) -> tuple[str, dict[str, Any]]:
    """Return the text of a file, and what it holds.

    Args:
        path: of the file.
        what: how an error calls it: `the profile file`.
        code: of the errors.

    Raises:
        InputError: it cannot be read, or is not TOML.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(_unreadable(what, error), path, code=code) from None
    except UnicodeDecodeError:
        raise InputError(f"{what} is not UTF-8; save it as UTF-8.", path, code=code) from None
    return text, parsed(text, path, code)


def parsed(text: str, path: Path, code: str) -> dict[str, Any]:
    """Return what the text of a file holds.

    Raises:
        InputError: it is not TOML.
    """
    line = None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.rstrip().count("\n") + 1  # "at end of document"
        problem = f"this is not valid TOML: {error}."
    except ValueError:
        problem = "this TOML cannot be read: a number has too many digits."
    except RecursionError:
        problem = "this TOML cannot be read: it is nested too deep."
    raise InputError(problem, path, line, code=code)


def line_of(key: str, text: str, begin: int = 0) -> int | None:
    """Return the line of the first key or table of a name, behind some characters; None: none."""
    quoted = rf"[\"']?{re.escape(key)}[\"']?\s*"
    form = re.compile(rf"^[ \t]*(?:\[\[?\s*{quoted}[\].]|{quoted}[=.])", re.MULTILINE)
    found = form.search(text, begin)
    return text.count("\n", 0, found.start()) + 1 if found else None


def _unreadable(what: str, error: OSError) -> str:
    return f"{what} cannot be read: {error.strerror}."
